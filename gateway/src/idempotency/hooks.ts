import { keyReused } from '@event-api/platform/http/idempotency/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ClaimedKey, KeyClaims } from './claims.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that this request was the first to send. */
    claimedKey: ClaimedKey | null;
  }
}

/**
 * Rejects a POST whose `Idempotency-Key` another service has received before. Errors: 400 as a
 * service has for a key of another request.
 */
export function claimKeys(app: FastifyInstance, claims: KeyClaims): void {
  app.decorateRequest('claimedKey', null);

  app.addHook('preHandler', function idempotencyKey(request, _reply, done) {
    const { owner } = request.routeOptions.config;
    const key = keyOf(request);
    if (key === null || owner === undefined) return done();
    claims.claim(key, owner).then(({ outcome }) => {
      if (outcome === 'claimed') request.claimedKey = key;
      done(outcome === 'used_elsewhere' ? keyReused() : undefined);
    }, done);
  });

  app.addHook('onResponse', function freeRejectedKey(request, reply, done) {
    const { claimedKey } = request;
    if (claimedKey && reply.statusCode >= 400 && reply.statusCode < 500) claims.release(claimedKey);
    done();
  });
}

function keyOf({ method, headers, apiKey }: FastifyRequest): ClaimedKey | null {
  const key = headers['idempotency-key'];
  if (method !== 'POST' || typeof key !== 'string') return null;
  return { businessUnitId: apiKey.businessUnitId, deviceId: apiKey.deviceId, key };
}
