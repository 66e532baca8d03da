import {
  type ProjectionService,
  resyncProjections,
} from '@event-api/contracts/operator/projections';
import { unavailable } from '../core/errors.ts';
import type { HttpServer } from './server.ts';

const defaultTimeoutMs = 20_000;

/**
 * The operator's way to have a service's copies made anew. Errors: 503 when that takes longer than a
 * caller should wait, as while the bus is away; it is done then as soon as it can be.
 */
export function resyncRoute<const Service extends ProjectionService>(
  app: HttpServer,
  options: { service: Service; resync: () => Promise<void>; timeoutMs?: number },
): void {
  const { service, resync, timeoutMs = defaultTimeoutMs } = options;
  app.route({
    ...resyncProjections(service),
    handler: async () => {
      const done = resync().then(() => true);
      if (!(await Promise.race([done, after(timeoutMs)])))
        throw unavailable(new Error('not done yet'));
      return { service };
    },
  });
}

const after = (ms: number): Promise<boolean> =>
  new Promise((resolve) => setTimeout(resolve, ms, false).unref());
