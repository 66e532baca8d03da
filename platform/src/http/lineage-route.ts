import { readLineage } from '@event-api/contracts/internal/lineage';
import type { Owner } from '@event-api/contracts/operation';
import { unavailable } from '../core/errors.ts';
import type { Lineages } from '../messaging/outbox/rewind.ts';
import type { HttpServer } from './server.ts';

/**
 * The route with which other services read the lineage of an owner's database. Errors: 503 if it
 * cannot be checked.
 */
export function lineageRoute(
  app: HttpServer,
  { owner, lineages }: { owner: Owner; lineages: () => Promise<Lineages> },
): void {
  const operation = readLineage(owner);
  app.route({
    ...operation,
    config: { ...operation.config, skipReadAfter: true },
    async handler() {
      const { lineage, previousLineage } = await lineages().catch((error: unknown) => {
        throw unavailable(error);
      });
      return { lineage, previousLineage };
    },
  });
}
