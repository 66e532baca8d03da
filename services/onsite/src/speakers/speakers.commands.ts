import type { EventScope } from '@event-api/contracts/internal/scope';
import type * as operations from '@event-api/contracts/operator/program';
import { referenceNotFound } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import { lockRecord } from '@event-api/platform/db/record';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import { writeChanges } from '@event-api/platform/messaging/changes/write';
import type { z } from 'zod';
import { recordCreated, recordDeleted, recordUpdated } from '../changes/record-changes.ts';
import { unknownEntries } from '../errors.ts';
import type { ProgramDeps } from '../program/deps.ts';
import { changedFields, unique } from '../program/fields.ts';
import { registrationExists } from '../projections/find-missing.ts';
import { refreshEvent } from '../projections/refresh-event.ts';
import { findSessions } from '../sessions/sessions.queries.ts';
import { Speaker } from './speaker.entity.ts';
import { findSpeaker, readSpeaker, type SpeakerRow } from './speakers.queries.ts';

type Create = z.output<typeof operations.createSpeaker.schema.body>;
type Update = z.output<typeof operations.updateSpeaker.schema.body>;

/**
 * Creates a speaker. Errors: 404 for the event; 400 for a session or registration that the event
 * does not have; 503.
 * Reports: `speaker.created`.
 */
export async function createSpeaker(deps: ProgramDeps, input: Create): Promise<SpeakerRow> {
  await refreshEvent(deps, input);
  const id = newId('spk');
  const created = isRetry() && (await findSpeaker(deps.db, input, id));
  if (created) return created;
  await requireReferences(deps, input, input);
  return deps.db.transaction(async (tx) => {
    const speaker = tx.em.create(Speaker, {
      ...input,
      id,
      sessionIds: unique(input.sessionIds),
    });
    await tx.em.flush();
    writeChanges(tx, [recordCreated('speaker', speaker)]);
    return readSpeaker(tx, input, id);
  });
}

/**
 * Changes a speaker; fields left out stay. A patch that changes nothing writes nothing. Errors: as
 * for creating one. Locks: the speaker. Reports: `speaker.updated`.
 */
export async function updateSpeaker(
  deps: ProgramDeps,
  { speakerId, ...input }: Update,
): Promise<SpeakerRow> {
  await refreshEvent(deps, input);
  await requireReferences(deps, input, input);
  return deps.db.transaction(async (tx) => {
    const speaker = await lockRecord(tx, Speaker, input, speakerId, 'speaker');
    const changes = changedFields(speaker, { ...input, sessionIds: unique(input.sessionIds) });
    if (Object.keys(changes).length > 0) {
      tx.em.assign(speaker, changes);
      await tx.em.flush();
      writeChanges(tx, [recordUpdated('speaker', speaker)]);
    }
    return readSpeaker(tx, input, speakerId);
  });
}

/**
 * Checks that the event has the sessions and the registration. No lock is needed: lists leave out
 * sessions that are deleted later. Errors: 400, 404, 503.
 */
async function requireReferences(
  deps: ProgramDeps,
  scope: EventScope,
  references: {
    sessionIds?: readonly string[] | undefined;
    registrationId?: string | null | undefined;
  },
): Promise<void> {
  const { sessionIds = [], registrationId } = references;
  const existing = await findSessions(deps.db, scope, sessionIds);
  const unknown = sessionIds.flatMap((id, index) =>
    existing.includes(id) ? [] : [`sessionIds[${index}]`],
  );
  if (unknown.length > 0) throw unknownEntries(unknown);
  if (registrationId && !(await registrationExists(deps, scope, registrationId))) {
    throw referenceNotFound('registrationId');
  }
}

/**
 * Deletes a speaker and returns it. Errors: 404; 503. Locks: the speaker. Reports:
 * `speaker.deleted`.
 */
export async function deleteSpeaker(
  deps: ProgramDeps,
  { speakerId, ...scope }: EventScope & { speakerId: string },
): Promise<SpeakerRow> {
  await refreshEvent(deps, scope);
  return deps.db.transaction(async (tx) => {
    const record = await lockRecord(tx, Speaker, scope, speakerId, 'speaker');
    const speaker = await readSpeaker(tx, scope, speakerId);
    tx.em.remove(record);
    await tx.em.flush();
    writeChanges(tx, [recordDeleted('speaker', record)]);
    return speaker;
  });
}
