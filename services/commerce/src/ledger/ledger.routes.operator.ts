import {
  exportLedger,
  listLedgerDigests,
  readTrialBalance,
} from '@event-api/contracts/operator/ledger';
import type { Database } from '@event-api/platform/db/database';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import type { HttpServer } from '@event-api/platform/http/server';
import { type DigestRow, findLastDay, listDigests } from './closing.queries.ts';
import { csvOf } from './csv.rules.ts';
import { type JournalRow, listEntries, sumAccounts } from './ledger.queries.ts';
import type { LedgerSigner } from './signing-key.ts';

export interface LedgerDeps {
  db: Database;
  signer: LedgerSigner | null;
}

export function ledgerRoutes(app: HttpServer, { db, signer }: LedgerDeps): void {
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

  app.route({
    ...listLedgerDigests,
    handler: async ({ body: { businessUnitId, limit, cursor, ...period } }) => {
      const after = decodeCursor('ledger.digests', cursor, ['string', 'string'] as const);
      const rows = await listDigests(db, businessUnitId, period, after, limit);
      const key = ({ day, currency }: DigestRow) => [day, currency];
      const page = paginate(rows, limit, (row) => row, key, 'ledger.digests');
      return {
        closedThrough: await findLastDay(db),
        publicKey: signer?.publicKey ?? null,
        digests: page.items,
        nextCursor: page.nextCursor,
      };
    },
  });
}
