import type { FastifyInstance } from 'fastify';
import { every } from '../core/every.ts';
import type { Logger } from '../core/log.ts';
import { httpTimeouts } from '../core/timeouts.ts';
import type { Dependencies } from '../telemetry/dependencies.ts';
import { contentTypes, formatFor } from '../telemetry/exposition.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { createDrain } from './drain.ts';

export interface Listeners {
  apiUrl: string;
  internalUrl: string;
  /**
   * Reports not ready and sends `Connection: close` with every response. Closes both listeners once
   * all connections are closed or the idle time-out has passed and all requests have their
   * response. Then sends the remaining spans.
   */
  stop(): Promise<void>;
}

/**
 * Listens: the API on one port; health, readiness, metrics and internal operations on another.
 *
 * `ping` is called until it succeeds for the first time. From then on the process stays ready until
 * it drains. A database that is lost later causes 503s: all replicas share it, so taking one out of
 * service would not help.
 */
export async function listen(options: {
  api: FastifyInstance;
  internal: FastifyInstance;
  host: string;
  port: number;
  internalPort: number;
  ping: () => Promise<void>;
  /** The telemetry whose metrics are served and whose spans are sent before the process ends. */
  telemetry?: Telemetry;
  /** Served by `/readyz`, so that a person or a start script sees what is missing. */
  dependencies?: Dependencies;
  /** Called when the drain begins. */
  onDrain?: () => void;
  /** How long idle connections stay open during a drain; by default they close immediately. */
  drainIdleMs?: number;
  log: Logger;
}): Promise<Listeners> {
  const { api, internal, host, log, telemetry } = options;
  const drains = [createDrain(api), createDrain(internal)];
  let reached = false;
  healthRoutes(internal, {
    isReady: () => reached && !drains.some((drain) => drain.draining),
    dependencies: options.dependencies?.states ?? (() => ({})),
  });
  if (telemetry) metricsRoute(internal, telemetry.metrics);
  const internalUrl = await internal.listen({ host, port: options.internalPort });
  const apiUrl = await api.listen({ host, port: options.port });
  const probing = every(
    async () => {
      await options.ping();
      reached = true;
      void probing.stop();
    },
    {
      intervalMs: httpTimeouts.readinessIntervalMs,
      immediately: true,
      // Not ready yet; the next attempt follows.
      onError: () => {},
    },
  );

  log.info({ apiUrl, internalUrl }, 'listening');
  return {
    apiUrl,
    internalUrl,
    async stop() {
      void probing.stop();
      for (const drain of drains) drain.begin();
      options.onDrain?.();
      // A client may be about to send a request on an open connection.
      await Promise.all(drains.map((drain) => drain.waitForIdle(options.drainIdleMs ?? 0)));
      for (const drain of drains) drain.end();
      await Promise.all([api.close(), internal.close()]);
      await telemetry?.close();
    },
  };
}

/**
 * `GET /healthz` responds with 200 while the event loop runs. `GET /readyz` responds with 200 while
 * `isReady` returns true, otherwise with 503. Its body says which dependencies are unavailable,
 * which is no reason to take the process out of service.
 */
function healthRoutes(
  app: FastifyInstance,
  { isReady, dependencies }: { isReady: () => boolean; dependencies: Dependencies['states'] },
): void {
  app.get('/healthz', { config: { skipTelemetry: true } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { config: { skipTelemetry: true } }, async (_request, reply) => {
    const ready = isReady();
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ready' : 'not ready',
      dependencies: dependencies(),
    });
  });
}

/**
 * `GET /metrics` for Prometheus, as OpenMetrics with exemplars if it accepts that. For the internal
 * listener only: it reveals usage.
 */
function metricsRoute(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', { config: { skipTelemetry: true } }, async ({ headers }, reply) => {
    const format = formatFor(headers.accept);
    return reply.type(contentTypes[format]).send(await metrics.text(format));
  });
}
