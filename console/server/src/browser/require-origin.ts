import type { FastifyInstance } from 'fastify';
import { foreignOrigin } from '../errors.ts';

const reads = new Set(['GET', 'HEAD']);

/**
 * Responds with 403 to a mutation that a page of another origin has sent. A browser adds `Origin`
 * to every such request, and no page can change it. A request without it is no request of the
 * console either.
 */
export function requireOrigin(app: FastifyInstance, consoleUrl: string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isAllowed = reads.has(request.method) || request.headers.origin === consoleUrl;
    done(isAllowed ? undefined : foreignOrigin());
  });
}
