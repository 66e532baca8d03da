import type { RosterBadge, RosterDoor } from '@event-api/contracts/http/roster';
import type { Badge, Gate } from './checkin-decision.ts';

/** The badge of a registration, as `decideCheckin` takes it, with the perks of its sources. */
export function badgeOfRoster(
  { registrationId: id, sourceIds, grantedPerkIds, ...badge }: RosterBadge,
  sources: ReadonlyMap<string, readonly string[]>,
): Badge {
  const perkIds = [...grantedPerkIds, ...sourceIds.flatMap((source) => sources.get(source) ?? [])];
  return { id, ...badge, perkIds, registrationTypeId: null };
}

/** The gates of a door, as `decideCheckin` takes them. */
export const gatesOfRoster = ({ subjectType, gates }: RosterDoor): readonly Gate[] =>
  gates.map((perkIds) => ({ of: subjectType, perkIds }));
