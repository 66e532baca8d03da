import type { FastifyInstance } from 'fastify';
import { unauthenticated } from '../core/errors.ts';
import type { Caller, CallerVerifier } from './caller-tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks. Set before any other hook of a route runs. */
    caller: Caller;
  }
}

/**
 * Answers 401 to every request that brings no good caller token for its route's audience, unknown
 * paths included.
 */
export function requireCaller(app: FastifyInstance, callers: CallerVerifier): void {
  app.decorateRequest('caller', null as unknown as Caller);
  app.addHook('onRequest', async (request) => {
    const token = request.headers['x-caller'];
    const audience = request.routeOptions.config.audience ?? 'api';
    const caller = await callers.verify(typeof token === 'string' ? token : undefined, audience);
    if (!caller) throw unauthenticated();
    request.caller = caller;
  });
}
