import type { FastifyInstance } from 'fastify';
import { unauthenticated } from '../core/errors.ts';
import type { Caller, CallerVerifier } from './caller-tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller. It is set before any other hook of a route runs. */
    caller: Caller;
  }
}

/**
 * Responds with 401 to every request without a valid caller token for the audience of its route, including
 * unknown paths.
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
