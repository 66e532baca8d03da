import { completeRestore } from '@event-api/contracts/operator/restore';
import type { PublisherName } from '@event-api/contracts/topology';
import { unavailable } from '../core/errors.ts';
import type { HttpServer } from './server.ts';

/** The operator command that gives a restored database a new lineage. Errors: 503 while the bus is unavailable. */
export function restoreRoute<const Service extends PublisherName>(
  app: HttpServer,
  { service, renewLineage }: { service: Service; renewLineage: () => Promise<string> },
): void {
  app.route({
    ...completeRestore(service),
    handler: async () => ({
      service,
      lineage: await renewLineage().catch((error: unknown) => {
        throw unavailable(error);
      }),
    }),
  });
}
