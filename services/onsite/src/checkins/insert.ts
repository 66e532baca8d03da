import type { Actor } from '@event-api/contracts/actor';
import type { AuditedRequest } from '@event-api/platform/audit/audited-request';
import { auditRow, insertAuditSql } from '@event-api/platform/audit/write';
import type { Db } from '@event-api/platform/db/database';
import { initialVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import { insertChangesSql } from '@event-api/platform/messaging/changes/write';
import { type CheckinKey, type CheckinRow, insertedColumns } from './checkins.queries.ts';
import type { ScanSource } from './source.ts';

/** The values of a check-in to write. */
export interface NewCheckin extends CheckinKey {
  id: string;
  method: 'scan' | 'manual';
  /** Whether projections decided that were not confirmed. */
  isUnconfirmed: boolean;
  source: ScanSource;
  /** The badge that is let in. */
  codeHash: string;
  /** The id and the actor of the change that reports it. */
  change: { id: string | null; actor: Actor };
  /** Its entry of the audit log, or null. */
  audited: AuditedRequest | null;
}

const into = `insert into onsite.checkin (id, business_unit_id, event_id, registration_id, subject_type, subject_id,
     method, is_unconfirmed, source, device_id, code_hash, version)`;

/** The change of each row of `from`, in the statement that inserts the check-ins. */
const changesOf = (from: string, id: string, actor: string) =>
  insertChangesSql('onsite', from, {
    id,
    actor,
    type: 'checkin.created',
    businessUnitId: 'c.business_unit_id',
    eventId: 'c.event_id',
    objectId: 'c.id',
    version: 'c.version',
    currentStatus: 'null::text',
  });

/** The audit entries of the check-ins that are written. */
const auditsOf = (parameter: string) =>
  insertAuditSql('onsite', parameter, 'c', 'a.records @> array[c.id]');

const insertOne = statement<CheckinRow>(
  'checkin_insert',
  `with c as (${into} values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, ${initialVersionSql}) on conflict do nothing returning *),
   changes as (${changesOf('c', '$12', '$13')}),
   audits as (${auditsOf('$14')})
   select ${insertedColumns} from c`,
);

// Rows are inserted in the order of the unique index, so that concurrent batches cannot deadlock.
const insertMany = statement<CheckinRow>(
  'checkins_insert',
  `with x as (
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[],
       $9::text[], $10::text[], $11::text[], $12::text[], $13::text[])
     as x(id, business_unit_id, event_id, registration_id, subject_type, subject_id, method, is_unconfirmed, source, device_id,
       code_hash, change_id, actor)
   ), c as (
     ${into} select id, business_unit_id, event_id, registration_id, subject_type, subject_id, method, is_unconfirmed, source,
       device_id, code_hash, ${initialVersionSql} from x
     order by registration_id, subject_type, subject_id, id
     on conflict do nothing returning *
   ), changes as (${changesOf('c join x on x.id = c.id', 'x.change_id', 'x.actor')}),
   audits as (${auditsOf('$14')})
   select ${insertedColumns} from c`,
);

const fieldsOf = (checkin: NewCheckin) => [
  checkin.id,
  checkin.businessUnitId,
  checkin.eventId,
  checkin.registrationId,
  checkin.subjectType,
  checkin.subjectId,
  checkin.method,
  checkin.isUnconfirmed,
  checkin.source.id,
  checkin.source.deviceId,
  checkin.codeHash,
  checkin.change.id,
  JSON.stringify(checkin.change.actor),
];

/**
 * Writes check-ins and returns those that are the first of their registration at their door.
 * Reports: `checkin.created` for each of those, in the same statement.
 */
export async function insertCheckins(
  db: Db,
  checkins: readonly NewCheckin[],
): Promise<CheckinRow[]> {
  const [first] = checkins;
  const audits = JSON.stringify(checkins.flatMap(auditOf));
  const rows = checkins.map(fieldsOf);
  const fields = Array.from({ length: 13 }, (_, field) => rows.map((row) => row[field]));
  const inserted =
    first && checkins.length === 1
      ? await db.query(insertOne, [...fieldsOf(first), audits])
      : await db.query(insertMany, [...fields, audits]);
  const insertedIds = new Set(inserted.map(({ id }) => id));
  for (const { id, audited } of checkins) {
    if (audited && insertedIds.has(id)) audited.isRecorded = true;
  }
  return inserted;
}

const auditOf = ({ id, registrationId, audited }: NewCheckin) =>
  audited ? [auditRow(audited, [id, registrationId])] : [];
