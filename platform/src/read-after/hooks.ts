import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Position } from '../projections/position.ts';
import { type ReadAfterScope, runInScope } from './scope.ts';
import { formatReadAfter, parseReadAfter, readAfterHeader } from './token.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** `isReached`: whether the copies here have come as far as was asked for. */
    readAfter: ReadAfterScope & { isReached: boolean };
  }
  interface FastifyContextConfig {
    /** The answer rests on no copy: it need not wait for any, even where its caller knows of more. */
    restsOnNoCopy?: boolean;
    /** How long it waits for the copies, where that is not the second that everybody else waits. */
    waitForCopiesMs?: number;
  }
}

/**
 * Lets a service's answers be no older than what their callers know: a request waits, for a bounded
 * time, until the copies here have come as far as its token says; an answer carries the token of
 * what it has written.
 */
export function readAfterHooks(app: FastifyInstance, position: Position | null): void {
  app.decorateRequest('readAfter', null as unknown as FastifyRequest['readAfter']);
  app.addHook('onRequest', (request, _reply, done) => {
    const asked = parseReadAfter(request.headers[readAfterHeader]);
    request.readAfter = { asked, written: null, isReached: true };
    runInScope(request.readAfter, done);
  });
  app.addHook('onRequest', async ({ readAfter, routeOptions }) => {
    if (!position || !readAfter.asked || routeOptions.config.restsOnNoCopy) return;
    const withinMs = routeOptions.config.waitForCopiesMs;
    readAfter.isReached = await position.reach(readAfter.asked, withinMs);
  });
  // A body arrives as events of its socket, which know nothing of the request's scope.
  app.addHook('preValidation', (request, _reply, done) => runInScope(request.readAfter, done));
  app.addHook('onSend', async ({ readAfter }, reply) => {
    if (readAfter?.written) reply.header(readAfterHeader, formatReadAfter(readAfter.written));
  });
}
