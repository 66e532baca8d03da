import type { FastifyInstance } from 'fastify';
import type { Logger } from '../core/log.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { createDrain } from './drain.ts';
import { healthRoutes } from './health.ts';
import { metricsRoute } from './metrics-route.ts';

export interface Listeners {
  apiUrl: string;
  internalUrl: string;
  /**
   * Readiness off, and each answer the last of its connection; both listeners closed once nobody has a connection any
   * more or the time for it is over, and everyone is answered; then the last spans sent.
   */
  stop(): Promise<void>;
}

/**
 * Listens: the API on one port; health, readiness, metrics and operator operations on another.
 *
 * `ping` is asked until it succeeds for the first time; from then on the process stays ready until
 * it drains. A database that is lost later gives 503s: all replicas share it, so taking one of them
 * out of service would help nobody.
 */
export async function listen(options: {
  api: FastifyInstance;
  internal: FastifyInstance;
  host: string;
  port: number;
  internalPort: number;
  ping: () => Promise<void>;
  /** Whose metrics to serve, and whose spans to send before the end. */
  telemetry?: Telemetry;
  /** How long a drain lets connections be that say nothing. At once is for who has no other copy to turn to. */
  drainIdleMs?: number;
  log: Logger;
}): Promise<Listeners> {
  const { api, internal, host, log, telemetry } = options;
  const drains = [createDrain(api), createDrain(internal)];
  let reached = false;
  healthRoutes(internal, () => reached && !drains.some((drain) => drain.draining));
  if (telemetry) metricsRoute(internal, telemetry.metrics);
  const internalUrl = await internal.listen({ host, port: options.internalPort });
  const apiUrl = await api.listen({ host, port: options.port });
  const probe = setInterval(tryToReach, 250);
  void tryToReach();

  async function tryToReach(): Promise<void> {
    try {
      await options.ping();
      reached = true;
      clearInterval(probe);
    } catch {
      // Asked again in a moment; until then the process is not ready.
    }
  }

  log.info({ apiUrl, internalUrl }, 'listening');
  return {
    apiUrl,
    internalUrl,
    async stop() {
      clearInterval(probe);
      for (const drain of drains) drain.begin();
      // Whoever keeps an open connection may be about to send a request on it, and would find it closed.
      await Promise.all(drains.map((drain) => drain.waitForIdle(options.drainIdleMs ?? 0)));
      for (const drain of drains) drain.end();
      await Promise.all([api.close(), internal.close()]);
      await telemetry?.close();
    },
  };
}
