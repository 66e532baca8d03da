import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import {
  type ListDefinition,
  listStatement,
  newestFirst,
  oldestChangeFirst,
} from '@event-api/platform/db/list';
import { type CodeRow, codeColumns } from './redemption-codes.queries.ts';

type Filter = 'status' | 'batchId';

const list: ListDefinition<CodeRow, Filter> = {
  name: 'redemption_codes',
  select: `select ${codeColumns.sql} from registration.redemption_code c`,
  scope: ['c.business_unit_id = $1', 'c.event_id = $2'],
  filters: {
    status: (status) => `c.status = ${status}`,
    batchId: (batchId) => `c.batch_id = ${batchId}`,
  },
};

const orders = {
  // `redemption_code_of_batch`, `redemption_code_by_status`
  own: newestFirst<Filter>('registration.redemption_code', 'c', [
    { filters: ['batchId'] },
    { filters: ['status'] },
  ]),
  changes: oldestChangeFirst<Filter>('c'),
};

/** Up to `limit` + 1 codes of an event that match every filter. */
export const listCodes = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  order: keyof typeof orders,
  page: { filters: Partial<Record<Filter, unknown>>; after: readonly unknown[]; limit: number },
): Promise<CodeRow[]> =>
  db.query(...listStatement(list, orders[order], { scope: [businessUnitId, eventId], ...page }));
