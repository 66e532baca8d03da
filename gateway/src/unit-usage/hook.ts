import type { FastifyInstance } from 'fastify';
import { countUse, type UsageCounter } from './unit-usage.rules.ts';

/**
 * Counts each request with a valid key when it ends, also if its client disconnects. A request that
 * waits on purpose uses no time.
 */
export function countUnitUsage(app: FastifyInstance, counter: UsageCounter): void {
  app.addHook('onRequest', function unitUsage(request, reply, done) {
    const startedAt = performance.now();
    const { id, deviceId, businessUnitId } = request.apiKey;
    const { mayWait } = request.routeOptions.config;
    reply.raw.once('close', () => {
      const busyMs = mayWait ? 0 : performance.now() - startedAt;
      const isRefused = reply.raw.statusCode === 429;
      const usedBy = { businessUnitId, credentialId: deviceId ?? id };
      countUse(counter.current, usedBy, { isRefused, busyMs });
    });
    done();
  });
}
