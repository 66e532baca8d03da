import { completeRestore } from '@event-api/contracts/operator/restore';
import type { PublisherName } from '@event-api/contracts/topology';
import { auditInParts } from '../audit/write.ts';
import { unavailable } from '../core/errors.ts';
import type { Database } from '../db/database.ts';
import type { HttpServer } from './server.ts';

/**
 * The operator command that gives a restored database a new lineage. Errors: 503 while the bus is
 * unavailable.
 */
export function restoreRoute<const Service extends PublisherName>(
  app: HttpServer,
  {
    service,
    db,
    renewLineage,
  }: { service: Service; db: Database; renewLineage: () => Promise<string> },
): void {
  app.route({
    ...completeRestore(service),
    handler: async () => ({
      service,
      lineage: await auditInParts(db, renewLineage).catch((error: unknown) => {
        throw unavailable(error);
      }),
    }),
  });
}
