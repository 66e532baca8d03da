import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/core/errors';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { isOnAgendaSql } from '../program/agenda.ts';

/** A speaker as the API returns it. */
export interface SpeakerRow {
  id: string;
  eventId: string;
  name: string;
  title: string | null;
  bio: string | null;
  registrationId: string | null;
  sessionIds: string[];
  createdAt: Date;
}

// `sessionIds` contains the sessions that are on the agenda, in the order of the request that set them.
const columns = `p.id, p.event_id as "eventId", p.name, p.title, p.bio, p.registration_id as "registrationId",
  array(select s.id from unnest(p.session_ids) with ordinality x(id, n)
    join onsite.session s on s.id = x.id and s.business_unit_id = p.business_unit_id and s.event_id = p.event_id
    join onsite.event_projection e on e.id = s.event_id
    where ${isOnAgendaSql} order by x.n) as "sessionIds", p.created_at as "createdAt"`;

const byId = `select ${columns} from onsite.speaker p
   where p.business_unit_id = $1 and p.event_id = $2 and p.id = $3`;

const speakerById = statement<SpeakerRow>('speaker_by_id', byId);

/** Returns a speaker, or null. */
export async function findSpeaker(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  speakerId: string,
): Promise<SpeakerRow | null> {
  const [row] = await db.query(speakerById, [businessUnitId, eventId, speakerId]);
  return row ?? null;
}

/** Returns a speaker. Errors: 404. */
export async function readSpeaker(
  db: Db,
  scope: EventScope,
  speakerId: string,
): Promise<SpeakerRow> {
  const row = await findSpeaker(db, scope, speakerId);
  if (!row) throw notFound();
  return row;
}

const lockRow = statement<SpeakerRow>('speaker_lock', `${byId} for update of p`);

/** Locks and returns a speaker. Errors: 404. */
export async function lockSpeaker(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  speakerId: string,
): Promise<SpeakerRow> {
  const [row] = await tx.query(lockRow, [businessUnitId, eventId, speakerId]);
  if (!row) throw notFound('speaker');
  return row;
}

// Newest first, by the index `speaker_newest_first`.
const newestSpeakers = statement<SpeakerRow>(
  'newest_speakers',
  `select ${columns} from onsite.speaker p
   where p.business_unit_id = $1 and p.event_id = $2 and p.place < coalesce(
       (select k.place from onsite.speaker k
        where k.business_unit_id = $1 and k.event_id = $2 and k.id = $3),
       case when $3::text is null then 9223372036854775807 else 0 end)
   order by p.place desc limit $4`,
);

/** Returns up to `limit` + 1 speakers of an event that were created before the one with the id `afterId`. */
export const listNewestSpeakers = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  afterId: string | null,
  limit: number,
): Promise<SpeakerRow[]> => db.query(newestSpeakers, [businessUnitId, eventId, afterId, limit + 1]);

export interface SpeakerFields {
  name: string;
  title: string | null;
  bio: string | null;
  registrationId: string | null;
  sessionIds: readonly string[];
}

const insert = statement<SpeakerRow>(
  'speaker_insert',
  `insert into onsite.speaker as p (business_unit_id, event_id, id, name, title, bio, registration_id, session_ids)
   values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`,
);

const update = statement<SpeakerRow>(
  'speaker_update',
  `update onsite.speaker p set name = $4, title = $5, bio = $6, registration_id = $7, session_ids = $8
   where p.business_unit_id = $1 and p.event_id = $2 and p.id = $3 returning ${columns}`,
);

/** Inserts a speaker, or updates one that `tx` has locked. */
export async function writeSpeaker(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  speakerId: string,
  { name, title, bio, registrationId, sessionIds }: SpeakerFields,
  isNew: boolean,
): Promise<SpeakerRow> {
  const once = [...new Set(sessionIds)];
  const values = [businessUnitId, eventId, speakerId, name, title, bio, registrationId, once];
  const [row] = await tx.query(isNew ? insert : update, values);
  if (!row) throw notFound('speaker');
  return row;
}

const remove = statement(
  'speaker_delete',
  'delete from onsite.speaker where business_unit_id = $1 and event_id = $2 and id = $3',
);

export const removeSpeaker = async (
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  speakerId: string,
): Promise<void> => void (await tx.query(remove, [businessUnitId, eventId, speakerId]));
