import { resyncProjections } from '@event-api/contracts/operator/projections';
import type { ProjectingService } from '@event-api/contracts/topology';
import { auditInParts } from '../audit/write.ts';
import { withTimeout } from '../core/deadline.ts';
import { unavailable } from '../core/errors.ts';
import { httpTimeouts } from '../core/timeouts.ts';
import type { Database } from '../db/database.ts';
import type { HttpServer } from './server.ts';

/**
 * The operator command that rebuilds the projections of a service. Errors: 503 when the rebuild
 * exceeds the time limit, for example while the bus is unavailable; the service then rebuilds as
 * soon as possible.
 */
export function resyncRoute<const Service extends ProjectingService>(
  app: HttpServer,
  options: { service: Service; db: Database; resync: () => Promise<void>; timeoutMs?: number },
): void {
  const { service, db, resync, timeoutMs = httpTimeouts.resyncMs } = options;
  app.route({
    ...resyncProjections(service),
    handler: async () => {
      const { outcome } = await withTimeout(auditInParts(db, resync), timeoutMs);
      if (outcome === 'late') throw unavailable(new Error('the resync is still running'));
      return { service };
    },
  });
}
