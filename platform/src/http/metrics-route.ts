import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../telemetry/metrics.ts';

/** `GET /metrics` for Prometheus. For the internal listener only: it reveals usage. */
export function metricsRoute(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', { config: { skipTelemetry: true } }, async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metrics.text()),
  );
}
