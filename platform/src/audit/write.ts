import type { AuditResult } from '@event-api/contracts/operator/audit';
import { randomId } from '../core/ids.ts';
import type { Database, Tx } from '../db/database.ts';
import { statementOfSchema } from '../db/statement.ts';
import { type AuditedRequest, currentAudited, runAudited } from './audited-request.ts';

const entryFields = `id text, "businessUnitId" text, "eventId" text, "actorType" text, "actorId" text, operation text,
  records text[], fields text[], result text, reason text, "requestId" text`;

/**
 * The part of a statement that writes the entries of a parameter, a JSON array, for commands that
 * are a single statement. `rows` are the rows that the command has written, and `condition` says to
 * which of them an entry `a` belongs: without a row nothing is written. An entry that exists stays
 * as it is.
 */
export const insertAuditSql = (
  schema: string,
  parameter: string,
  rows = '(values (1)) written',
  condition = 'true',
): string =>
  `insert into ${schema}.audit_entry (id, business_unit_id, event_id, actor_type, actor_id, operation, records, fields, result,
     reason, request_id)
   select a.id, a."businessUnitId", a."eventId", a."actorType", a."actorId", a.operation, a.records, a.fields, a.result,
     a.reason, a."requestId"
   from ${rows} join jsonb_to_recordset(${parameter}::jsonb) as a(${entryFields}) on ${condition}
   on conflict (id) do nothing`;

const insertInto = statementOfSchema('audit_insert', (schema) => insertAuditSql(schema, '$1'));

/** What a transaction adds to the entry of a request. */
export interface Recorded {
  /** The ids of the records that it changes, beyond those that the request names. */
  records?: readonly string[];
  /** The business unit, if the request names none. */
  businessUnitId?: string;
  /** The request, if it was queued. Otherwise the current one. */
  audited?: AuditedRequest | null;
  result?: AuditResult;
  /** Why it was refused. */
  reason?: string | null;
}

type Entry = Required<Omit<Recorded, 'audited' | 'businessUnitId'>> & {
  businessUnitId: string | null;
};

const entriesOf = new WeakMap<Tx, Map<AuditedRequest, Entry>>();

/**
 * Records the current request of an operator with `tx`, as its last statement. Several calls of one
 * transaction add to one entry. Without such a request, for example for that of an API key, it does
 * nothing. The first transaction of a request that commits is the one that counts.
 */
export function recordAudit(tx: Tx, recorded: Recorded = {}): void {
  const { audited = currentAudited(), records = [], result = 'done' } = recorded;
  if (!audited) return;
  const entries = entriesOf.get(tx) ?? new Map<AuditedRequest, Entry>();
  if (!entriesOf.has(tx)) {
    entriesOf.set(tx, entries);
    tx.beforeCommit.push(() => sendEntries(tx, entries));
  }
  const before = entries.get(audited);
  entries.set(audited, {
    records: [...(before?.records ?? audited.records), ...records],
    businessUnitId: recorded.businessUnitId ?? before?.businessUnitId ?? audited.businessUnitId,
    reason: recorded.reason ?? before?.reason ?? audited.reason,
    result,
  });
}

function sendEntries(tx: Tx, entries: ReadonlyMap<AuditedRequest, Entry>): void {
  const rows = [...entries].map(([audited, entry]) => rowOf(audited, entry));
  tx.send(insertInto(tx.schema), [JSON.stringify(rows)], () => {
    for (const [audited, { result }] of entries) audited.isRecorded ||= result !== 'started';
  });
}

const maxRecords = 1000;

/** The records of an entry, each once: the event if it is about no other record. */
function recordsOf(records: readonly string[], eventId: string | null): string[] {
  if (records.length === 0 && eventId !== null) return [eventId];
  return [...new Set(records)].slice(0, maxRecords);
}

function rowOf(audited: AuditedRequest, { records, result, reason, businessUnitId }: Entry) {
  const { eventId, actor, operation, fields, requestId } = audited;
  return {
    // Final entries reuse the request's id, so they are inserted once.
    id: result === 'done' || result === 'unchanged' ? audited.id : randomId('aud'),
    businessUnitId,
    eventId,
    actorType: actor.type,
    actorId: actor.id,
    operation,
    records: recordsOf(records, eventId),
    fields,
    result,
    reason,
    requestId,
  };
}

/**
 * The parameter of `insertAuditSql` for a request that changes these records. An empty array
 * without a request.
 */
export const auditParameter = (
  audited: AuditedRequest | null,
  records: readonly string[],
): string => JSON.stringify(audited ? [auditRow(audited, records)] : []);

/** The entry of a request that changes these records, as `insertAuditSql` reads it. */
export const auditRow = (audited: AuditedRequest, records: readonly string[]) =>
  rowOf(audited, {
    records: [...audited.records, ...records],
    result: 'done',
    reason: audited.reason,
    businessUnitId: audited.businessUnitId,
  });

/** Writes an entry that belongs to no transaction of a command. */
export const writeAudit = (
  db: Pick<Database, 'transaction'>,
  audited: AuditedRequest,
  recorded: Omit<Recorded, 'audited'>,
): Promise<void> => db.transaction(async (tx) => recordAudit(tx, { ...recorded, audited }));

/**
 * Carries out a command of several transactions. The log gets an entry `started` before, and one
 * `done` with the response. What the transactions change is not listed.
 */
export async function auditInParts<Result>(
  db: Pick<Database, 'transaction'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const audited = currentAudited();
  if (!audited) return work();
  await writeAudit(db, audited, { result: 'started' });
  audited.hasStarted = true;
  return runAudited(null, work);
}
