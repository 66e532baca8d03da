import type { EventScope } from '@event-api/contracts/internal/scope';
import { referenceNotFound } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

/** The codes that one request has created. */
export interface BatchRow {
  id: string;
  ticketTypeId: string;
  label: string | null;
  codes: number;
  active: number;
  uses: number;
  maxUses: number | null;
  createdAt: Date;
}

// All codes of a batch have the same ticket type, label and limit.
const columns = `c.batch_id as id, min(c.ticket_type_id) as "ticketTypeId", min(c.label) as label, count(*)::int as codes,
  (count(*) filter (where c.status = 'active'))::int as active, sum(c.uses)::int as uses, min(c.max_uses) as "maxUses",
  min(c.created_at) as "createdAt"`;

const newest = statement<BatchRow>(
  'code_batches',
  `select ${columns} from registration.redemption_code c
   where c.business_unit_id = $1 and c.event_id = $2 and c.batch_id is not null
   group by c.batch_id
   having max(c.insertion_order) < coalesce((
     select max(k.insertion_order) from registration.redemption_code k
     where k.business_unit_id = $1 and k.event_id = $2 and k.batch_id = $3), 9223372036854775807)
   order by max(c.insertion_order) desc limit $4`,
);

/** Up to `limit` + 1 batches of an event, newest first, after the one with the id `afterId`. */
export const listBatches = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  afterId: string | null,
  limit: number,
): Promise<BatchRow[]> => db.query(newest, [businessUnitId, eventId, afterId, limit + 1]);

const one = statement<BatchRow>(
  'code_batch',
  `select ${columns} from registration.redemption_code c
   where c.business_unit_id = $1 and c.event_id = $2 and c.batch_id = $3 group by c.batch_id`,
);

/** Reads one batch. Errors: 404 for `batchId`. */
export async function readBatch(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  batchId: string,
): Promise<BatchRow> {
  const [row] = await db.query(one, [businessUnitId, eventId, batchId]);
  if (!row) throw referenceNotFound('batchId');
  return row;
}
