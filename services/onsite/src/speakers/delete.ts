import type { EventScope } from '@event-api/contracts/internal/scope';
import { refreshEvent } from '../projections/refresh-event.ts';
import type { ProgramDeps } from '../venues/commands.ts';
import { lockSpeaker, removeSpeaker, type SpeakerRow } from './queries.ts';

/** Takes a speaker off the line-up and answers who it was. Errors: 404; 503. Locks: the speaker. */
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
