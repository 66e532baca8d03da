import type { RateLimitBudget } from '@event-api/contracts/operation';
import { type ServiceName, serviceNames } from '@event-api/contracts/topology';
import { ApiError, unavailable } from '@event-api/platform/core/errors';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TurnLimits } from './fairness.rules.ts';
import { createTurns, type RefusalReason, refusalReasons } from './turns.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Frees the place of a request that is in flight. */
    releaseTurn: (() => void) | null;
  }
}

/**
 * Limits the requests in flight to each service, and lets business units take turns when requests
 * wait, so that the storm of one unit neither delays nor fails the requests of another. A request
 * has its place until its response is complete, also if its client disconnects, because the service
 * still works on it. Its body has arrived before, so a slow client occupies no place.
 *
 * Errors: 429 when too many requests of the unit wait; 503 when a request has waited too long. Both
 * have `Retry-After`, and no service has seen the request.
 */
export function limitInFlight(
  app: FastifyInstance,
  options: { limits: TurnLimits; metrics: Metrics; maxWaitMs: number },
): void {
  const { limits, metrics, maxWaitMs } = options;
  const turnsOf = new Map(serviceNames.map((name) => [name, createTurns(limits, maxWaitMs)]));
  const countRefused = metrics.counter('gateway.turns.refused');
  for (const reason of refusalReasons) countRefused({ reason }, 0);
  metrics.observe('gateway.turns.waiting', () =>
    [...turnsOf].map(([owner, turns]) => [turns.waiting(), { owner }] as const),
  );
  app.decorateRequest('releaseTurn', null);

  app.addHook('preHandler', function turn(request, _reply, done) {
    const { owner, mayWait, rateLimitBudget = 'default' } = request.routeOptions.config;
    const turns = turnsOf.get(owner as ServiceName);
    // A request that waits on purpose would occupy a place without any work of the service.
    if (!turns || mayWait) return done();
    turns.take(subjectOf(request, rateLimitBudget), {
      start(release) {
        request.releaseTurn = release;
        done();
      },
      refuse(reason) {
        countRefused({ reason });
        done(errorOf(reason));
      },
      isAbandoned: () => request.raw.socket.destroyed,
    });
  });

  app.addHook('onSend', (request, _reply, payload, done) => {
    request.releaseTurn?.();
    done(null, payload);
  });
}

/** Check-ins take turns of their own, so that a sale does not delay the doors of the same unit. */
const subjectOf = ({ apiKey }: FastifyRequest, budget: RateLimitBudget): string =>
  budget === 'checkins' ? `${apiKey.businessUnitId} checkins` : apiKey.businessUnitId;

function errorOf(reason: RefusalReason): ApiError {
  switch (reason) {
    case 'late':
      return unavailable(new Error('the request has waited too long'));
    case 'abandoned':
      return unavailable(new Error('the client has disconnected'));
    case 'full':
      return new ApiError(429, 'Too many requests of the business unit are waiting', {
        headers: { 'retry-after': '1' },
      });
  }
}
