import type { FastifyInstance } from 'fastify';

/**
 * `GET /healthz` answers while the event loop turns. `GET /readyz` answers 200 from the time that
 * `isReady` says so until the drain begins.
 */
export function healthRoutes(app: FastifyInstance, isReady: () => boolean): void {
  app.get('/healthz', { config: { skipTelemetry: true } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { config: { skipTelemetry: true } }, async (_request, reply) => {
    const ready = isReady();
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' });
  });
}
