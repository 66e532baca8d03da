import type { Actor } from '@event-api/contracts/actor';
import {
  type ChangeBody,
  type ChangeState,
  type ChangeType,
  objectTypeOf,
} from '@event-api/contracts/changes';
import { type AuditedRequest, currentAudited } from '../../audit/audited-request.ts';
import { recordAudit } from '../../audit/write.ts';
import { currentActor } from '../../core/actor.ts';
import { randomId } from '../../core/ids.ts';
import type { Database, Tx } from '../../db/database.ts';
import { statementOfSchema } from '../../db/statement.ts';

/** What a command has changed about one object. */
export interface ObjectChange {
  type: ChangeType;
  businessUnitId: string;
  eventId: string;
  objectId: string;
  /** The version of the row that the command wrote, or of the row that it deleted. */
  version: number;
  /** The state before the command; null for a new object. */
  previous: ChangeState | null;
  /** The state after the command; null for a deleted object. */
  current: ChangeState | null;
  /** Who sent the command, if it was queued. Otherwise the actor of the current request or job. */
  actor?: Actor;
  /** The audited request that has caused it, if it was queued; null for none. */
  audited?: AuditedRequest | null;
}

const insertInto = statementOfSchema(
  'change_insert',
  (schema) =>
    `insert into ${schema}.change_inbox (business_unit_id, body)
     select unit, body from unnest($1::text[], $2::text[]) with ordinality x(unit, body, turn) order by turn`,
);

/**
 * Sends the insert of changes with `tx`, in their order. The rows of their objects must be locked
 * or written by `tx` before. The feed reports them after the commit. If an operator has sent the
 * command, the audit log gets its entry with them.
 */
export function writeChanges(tx: Tx, changes: readonly ObjectChange[]): void {
  for (const { objectId, actor, audited } of changes) {
    const own = actor ? null : currentAudited();
    recordAudit(tx, { records: [objectId], audited: audited ?? own });
  }
  if (changes.length === 0) return;
  const units = changes.map(({ businessUnitId }) => businessUnitId);
  const bodies = changes.map((change) => JSON.stringify(bodyOf(change)));
  tx.send(insertInto(tx.schema), [units, bodies], () => tx.afterCommit.push(changesWritten));
}

/** Marks a commit with changes for the commit hook. */
export const changesWritten = Symbol('changes written');

/**
 * Announces the changes of a command that is a single statement. Transactions announce theirs by
 * themselves.
 */
export async function announceChanges(db: Pick<Database, 'committed'>): Promise<void> {
  await db.committed([changesWritten]);
}

/** The id of a change that the statement of its command writes. */
export const newChangeId = (): string => randomId('chg');

function bodyOf(change: ObjectChange): ChangeBody {
  const { type, eventId, objectId, version, previous, current } = change;
  return {
    id: newChangeId(),
    type,
    eventId,
    object: { type: objectTypeOf(type), id: objectId, version },
    previous,
    current,
    actor: change.actor ?? currentActor(),
  };
}

/** The SQL expressions of a change that is written by the statement that changes the object. */
export interface ChangeExpressions {
  /** The parameter with the id of the change. Nothing is written if it is null. */
  id: string;
  type: ChangeType;
  /** The parameter with the actor, as JSON. */
  actor: string;
  businessUnitId: string;
  eventId: string;
  objectId: string;
  version: string;
  /** The status before the change; undefined for a new object. */
  previousStatus?: string;
  currentStatus: string;
}

/**
 * The part of a statement that writes one change for each row of `from`, for commands that are a
 * single statement. The rows must come from the part that writes the objects.
 */
export function insertChangesSql(schema: string, from: string, change: ChangeExpressions): string {
  const { previousStatus } = change;
  const previous = previousStatus ? `json_build_object('status', ${previousStatus})` : 'null::json';
  return `insert into ${schema}.change_inbox (business_unit_id, body)
    select ${change.businessUnitId}, json_build_object('id', ${change.id}::text, 'type', '${change.type}',
      'eventId', ${change.eventId}, 'object', json_build_object('type', '${objectTypeOf(change.type)}',
        'id', ${change.objectId}, 'version', ${change.version}),
      'previous', ${previous}, 'current', json_build_object('status', ${change.currentStatus}),
      'actor', ${change.actor}::json)::text
    from ${from} where ${change.id}::text is not null`;
}
