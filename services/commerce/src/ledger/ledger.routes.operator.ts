import { exportLedger, readTrialBalance } from '@event-api/contracts/operator/ledger';
import type { Database } from '@event-api/platform/db/database';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import type { HttpServer } from '@event-api/platform/http/server';
import { csvOf } from './csv.rules.ts';
import { type JournalRow, listEntries, sumAccounts } from './ledger.queries.ts';

export function ledgerRoutes(app: HttpServer, { db }: { db: Database }): void {
  app.route({
    ...readTrialBalance,
    handler: async ({ body }) => ({ accounts: await sumAccounts(db, body) }),
  });

  app.route({
    ...exportLedger,
    handler: async ({ body: { limit, cursor, ...filter } }) => {
      const after = decodeCursor('ledger', cursor, ['instant', 'version'] as const);
      const rows = await listEntries(db, filter, after, limit);
      const key = ({ postedAt, position }: JournalRow) => [postedAt.toISOString(), position];
      const { items, nextCursor } = paginate(rows, limit, (row) => row, key, 'ledger');
      return { csv: csvOf(items), nextCursor };
    },
  });
}
