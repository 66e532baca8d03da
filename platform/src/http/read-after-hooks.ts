import type { FastifyInstance } from 'fastify';
import type { Checkpoint } from '../messaging/projections/checkpoint.ts';
import { type ReadAfterScope, runInScope } from '../messaging/read-after/scope.ts';
import { formatReadAfter, parseReadAfter, readAfterHeader } from '../messaging/read-after/token.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** `isSatisfied`: whether the projections have reached the required sequences. */
    readAfter: ReadAfterScope & { isSatisfied: boolean };
  }
  interface FastifyContextConfig {
    /** The response depends on no projection, so the request never waits for one. */
    skipReadAfter?: boolean;
    /** How long the request waits for the projections, by default one second. */
    readAfterTimeoutMs?: number;
  }
}

/**
 * Implements read-after. A request waits, for a limited time, until the projections have reached
 * the sequences of its token. The response carries a token of what the request wrote.
 */
export function readAfterHooks(app: FastifyInstance, checkpoint: Checkpoint | null): void {
  app.decorateRequest('readAfter');
  app.addHook('onRequest', (request, _reply, done) => {
    const required = parseReadAfter(request.headers[readAfterHeader]);
    request.readAfter = { required, produced: null, isSatisfied: true };
    runInScope(request.readAfter, done);
  });
  app.addHook('onRequest', async ({ readAfter, routeOptions }) => {
    if (!checkpoint || !readAfter.required || routeOptions.config.skipReadAfter) return;
    const timeoutMs = routeOptions.config.readAfterTimeoutMs;
    readAfter.isSatisfied = await checkpoint.waitFor(readAfter.required, timeoutMs);
  });
  // A body arrives in events of the socket, outside the scope of the request.
  app.addHook('preValidation', (request, _reply, done) => runInScope(request.readAfter, done));
  app.addHook('onSend', async ({ readAfter }, reply) => {
    if (readAfter?.produced) reply.header(readAfterHeader, formatReadAfter(readAfter.produced));
  });
}
