import { ChangeBody } from '@event-api/contracts/changes';
import type { NumberedChange } from '@event-api/contracts/internal/changes';
import { changeTimeouts } from '../../core/timeouts.ts';
import { columnsOf, type RowOf } from '../../db/columns.ts';
import type { Database } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { ChangeLog } from './change-log.entity.ts';

export type ChangePage = { changes: NumberedChange[]; last: number } | { rewoundTo: number };

/** The log of the committed changes of a service. */
export interface ChangeLogReader {
  /**
   * Numbers the committed changes and returns those after a number. The caller confirms that it has
   * stored everything up to `after`. Locks: the counter of the service, while there are changes
   * without a number.
   */
  read(db: Database, page: { after: number; limit: number }): Promise<ChangePage>;
  /** Deletes confirmed changes that are older than the retention. */
  deleteOld(db: Database): Promise<void>;
}

const columns = columnsOf(ChangeLog, 'l');
type LogRow = RowOf<typeof columns>;

/** The most changes that one transaction numbers, and that one statement deletes. */
const partRows = 1000;

function statementsOn(schema: string) {
  return {
    state: statement<{ last: number; hasUnnumbered: boolean }>(
      'change_state',
      `select last, exists (select from ${schema}.change_inbox) as "hasUnnumbered" from ${schema}.change_counter`,
    ),
    lock: statement('change_counter_lock', `select from ${schema}.change_counter for update`),
    // A snapshot that contains a change contains every change it depends on, and these have lower
    // positions. An open transaction delays only its own changes: they get their numbers after the
    // commit. The array is computed once. The planner often takes the inbox for empty, and would
    // join `in (select …)` row by row.
    number: statement<{ last: number }>(
      'change_number',
      `with moved as (
         delete from ${schema}.change_inbox where position = any(array(
           select position from ${schema}.change_inbox order by position limit ${partRows}
         )) returning position, business_unit_id, occurred_at, body
       ), numbered as (
         insert into ${schema}.change_log (number, business_unit_id, occurred_at, body)
         select c.last + row_number() over (order by m.position), m.business_unit_id, m.occurred_at, m.body
         from moved m cross join ${schema}.change_counter c
       )
       update ${schema}.change_counter
       set last = last + (select count(*) from moved), confirmed = greatest(confirmed, least($1, last))
       returning last`,
    ),
    page: statement<LogRow>(
      'change_page',
      `select ${columns.sql} from ${schema}.change_log l where l.number > $1 order by l.number limit $2`,
    ),
    deleteOld: statement<{ count: number }>(
      'change_delete_old',
      `with deleted as (
         delete from ${schema}.change_log where number = any(array(
           select l.number from ${schema}.change_log l join ${schema}.change_counter c on l.number <= c.confirmed
           where l.occurred_at < clock_timestamp() - interval '${changeTimeouts.logRetentionMs} ms'
           order by l.number limit ${partRows}
         )) returning number
       ) select count(*)::int as count from deleted`,
    ),
  };
}

export function createChangeLog(schema: string): ChangeLogReader {
  const statements = statementsOn(schema);
  return {
    async read(db, { after, limit }) {
      const [state] = await db.query(statements.state);
      let last = state?.last ?? 0;
      // Before new numbers: after a restore they would hide that the numbers up to `after` are
      // lost.
      if (after > last) return { rewoundTo: last };
      let rows: LogRow[] = [];
      if (state?.hasUnnumbered) {
        await db.transaction(async (tx) => {
          // The lock and the numbers are separate statements: the second one sees what was
          // committed during the wait.
          tx.send(statements.lock, [], () => {});
          tx.send(statements.number, [after], ([counter]) => {
            last = counter?.last ?? 0;
          });
          tx.send(statements.page, [after, limit], (page) => {
            rows = page;
          });
        });
      } else if (after < last) rows = await db.query(statements.page, [after, limit]);
      return { changes: rows.map(toChange), last };
    },
    async deleteOld(db) {
      for (let count = partRows; count === partRows; ) {
        const [row] = await db.query(statements.deleteOld);
        count = row?.count ?? 0;
      }
    },
  };
}

const toChange = ({ number, businessUnitId, occurredAt, body }: LogRow): NumberedChange => ({
  number,
  businessUnitId,
  occurredAt: occurredAt.toISOString(),
  change: ChangeBody.parse(JSON.parse(body)),
});
