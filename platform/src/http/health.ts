import type { FastifyInstance } from 'fastify';

/**
 * `GET /healthz` responds with 200 while the event loop runs. `GET /readyz` responds with 200 while `isReady`
 * returns true, otherwise with 503.
 */
export function healthRoutes(app: FastifyInstance, isReady: () => boolean): void {
  app.get('/healthz', { config: { skipTelemetry: true } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { config: { skipTelemetry: true } }, async (_request, reply) => {
    const ready = isReady();
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' });
  });
}
