import * as operations from '@event-api/contracts/operator/reconciliation';
import { auditInParts } from '@event-api/platform/audit/write';
import { invalidArgument } from '@event-api/platform/core/errors';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import type { HttpServer } from '@event-api/platform/http/server';
import { findLastDay } from '../ledger/closing.queries.ts';
import { type ReconcileDeps, reconcileDay } from './reconcile-day.ts';
import {
  findAccountsOn,
  listReconciliations,
  type ReconciliationRow,
} from './reconciliation.queries.ts';

export function providerReconciliationRoutes(app: HttpServer, deps: ReconcileDeps): void {
  const { db } = deps;

  app.route({
    ...operations.listReconciliations,
    handler: async ({ body: { limit, cursor, ...filter } }) => {
      const after = decodeCursor('reconciliation', cursor, ['string', 'string'] as const);
      const rows = await listReconciliations(db, filter, after, limit);
      const key = ({ day, provider }: ReconciliationRow) => [day, provider];
      const page = paginate(rows, limit, view, key, 'reconciliation');
      return { reconciliations: page.items, nextCursor: page.nextCursor };
    },
  });

  app.route({
    ...operations.runReconciliation,
    handler: async ({ body: { day, businessUnitId = null } }) => {
      if (day > ((await findLastDay(db)) ?? '')) throw dayIsOpen();
      return auditInParts(db, async () => {
        for (const account of await findAccountsOn(db, deps.provider.name, day, businessUnitId)) {
          await reconcileDay(deps, { ...account, day });
        }
        return {};
      });
    },
  });
}

const dayIsOpen = () =>
  invalidArgument([{ field: 'day', issue: 'is not closed yet', code: 'invalid_value' }]);

const view = ({ ranAt, listed, ...row }: ReconciliationRow) => ({
  ...row,
  ranAt: ranAt.toISOString(),
  listed: listed.map(({ here, there, ...difference }) => ({ ...difference, here, there })),
});
