import type { EventScope } from '@event-api/contracts/internal/scope';
import type * as operations from '@event-api/contracts/operator/program';
import { newId } from '@event-api/platform/core/ids';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import type { z } from 'zod';
import { unknownReferences } from '../errors.ts';
import type { ProgramDeps } from '../program/deps.ts';
import { applyPatch } from '../program/rules.ts';
import { registrationExists } from '../projections/find-missing.ts';
import { refreshEvent } from '../projections/refresh-event.ts';
import { findSessions } from '../sessions/queries.ts';
import {
  findSpeaker,
  lockSpeaker,
  removeSpeaker,
  type SpeakerFields,
  type SpeakerRow,
  writeSpeaker,
} from './queries.ts';

type Create = z.output<typeof operations.createSpeaker.schema.body>;
type Update = z.output<typeof operations.updateSpeaker.schema.body>;

/**
 * Creates a speaker. Errors: 404 for the event; 400 for a session or registration that the event does not have; 503.
 */
export async function createSpeaker(deps: ProgramDeps, input: Create): Promise<SpeakerRow> {
  await refreshEvent(deps, input);
  const id = newId('spk');
  const created = isRetry() && (await findSpeaker(deps.db, input, id));
  if (created) return created;
  await requireReferences(deps, input, input);
  return deps.db.transaction((tx) => writeSpeaker(tx, input, id, input, true));
}

/** Changes a speaker; fields left out stay. Errors: as for creating one. Locks: the speaker. */
export async function updateSpeaker(
  deps: ProgramDeps,
  { speakerId, ...input }: Update,
): Promise<SpeakerRow> {
  await refreshEvent(deps, input);
  await requireReferences(deps, input, input);
  return deps.db.transaction(async (tx) => {
    const current = await lockSpeaker(tx, input, speakerId);
    return writeSpeaker(tx, input, speakerId, applyPatch(current, input), false);
  });
}

/**
 * Checks that the event has the sessions and the registration. No lock is needed: lists leave out sessions that are
 * deleted later. Errors: 400, 503.
 */
async function requireReferences(
  deps: ProgramDeps,
  scope: EventScope,
  references: { [K in 'sessionIds' | 'registrationId']?: SpeakerFields[K] | undefined },
): Promise<void> {
  const { sessionIds = [], registrationId } = references;
  const existing = await findSessions(deps.db, scope, sessionIds);
  const unknown = sessionIds.flatMap((id, index) =>
    existing.includes(id) ? [] : [`sessionIds[${index}]`],
  );
  if (registrationId && !(await registrationExists(deps, scope, registrationId))) {
    unknown.push('registrationId');
  }
  if (unknown.length > 0) throw unknownReferences(unknown);
}

/** Deletes a speaker and returns it. Errors: 404; 503. Locks: the speaker. */
export async function deleteSpeaker(
  deps: ProgramDeps,
  { speakerId, ...scope }: EventScope & { speakerId: string },
): Promise<SpeakerRow> {
  await refreshEvent(deps, scope);
  return deps.db.transaction(async (tx) => {
    const speaker = await lockSpeaker(tx, scope, speakerId);
    await removeSpeaker(tx, scope, speakerId);
    return speaker;
  });
}
