import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Checkpoint } from '../messaging/projections/checkpoint.ts';
import { type ReadAfterScope, runInScope } from '../messaging/read-after/scope.ts';
import { formatReadAfter, parseReadAfter, readAfterHeader } from '../messaging/read-after/token.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** `isReached`: whether the copies here have come as far as was asked for. */
    readAfter: ReadAfterScope & { isSatisfied: boolean };
  }
  interface FastifyContextConfig {
    /** The answer rests on no copy: it need not wait for any, even where its caller knows of more. */
    skipReadAfter?: boolean;
    /** How long it waits for the copies, where that is not the second that everybody else waits. */
    readAfterTimeoutMs?: number;
  }
}

/**
 * Lets a service's answers be no older than what their callers know: a request waits, for a bounded
 * time, until the copies here have come as far as its token says; an answer carries the token of
 * what it has written.
 */
export function readAfterHooks(app: FastifyInstance, checkpoint: Checkpoint | null): void {
  app.decorateRequest('readAfter', null as unknown as FastifyRequest['readAfter']);
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
  // A body arrives as events of its socket, which know nothing of the request's scope.
  app.addHook('preValidation', (request, _reply, done) => runInScope(request.readAfter, done));
  app.addHook('onSend', async ({ readAfter }, reply) => {
    if (readAfter?.produced) reply.header(readAfterHeader, formatReadAfter(readAfter.produced));
  });
}
