import type { FastifyInstance } from 'fastify';

/**
 * Everything comes from this origin, and no script or style is inline. No other site can show the
 * console in a frame.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Adds the headers that protect the console in a browser to every response. */
export function securityHeaders(app: FastifyInstance, consoleUrl: string): void {
  const headers = {
    'content-security-policy': contentSecurityPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(consoleUrl.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000',
    }),
  };
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...headers, 'request-id': request.id });
    done();
  });
}
