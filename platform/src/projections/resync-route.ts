import { type CopyKeeper, resyncCopies } from '@event-api/contracts/operator/copies';
import { unavailable } from '../errors.ts';
import type { HttpServer } from '../http/server.ts';

const patienceMs = 20_000;

/**
 * The operator's way to have a service's copies made anew. Errors: 503 when that takes longer than a
 * caller should wait, as while the bus is away; it is done then as soon as it can be.
 */
export function resyncRoute<const Service extends CopyKeeper>(
  app: HttpServer,
  options: { service: Service; resync: () => Promise<void>; waitMs?: number },
): void {
  const { service, resync, waitMs = patienceMs } = options;
  app.route({
    ...resyncCopies(service),
    handler: async () => {
      const done = resync().then(() => true);
      if (!(await Promise.race([done, after(waitMs)])))
        throw unavailable(new Error('not done yet'));
      return { service };
    },
  });
}

const after = (ms: number): Promise<boolean> =>
  new Promise((resolve) => setTimeout(resolve, ms, false).unref());
