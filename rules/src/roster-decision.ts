import type { RosterBadge, RosterDoor, RosterSource } from '@event-api/contracts/http/roster';
import type { Badge, Gate } from './checkin-decision.ts';

/**
 * The badge of a registration, as `decideCheckin` takes it, with what its sources deliver. Only a
 * ticket type has times of admission.
 */
export function badgeOfRoster(
  { registrationId: id, sourceIds, grantedPerkIds, ...badge }: RosterBadge,
  sources: ReadonlyMap<string, RosterSource>,
): Badge {
  const own = sourceIds.flatMap((source) => sources.get(source) ?? []);
  const perkIds = [...grantedPerkIds, ...own.flatMap((source) => source.perkIds)];
  const timed = own.find(
    ({ admissionOpensAt, admissionClosesAt }) => admissionOpensAt ?? admissionClosesAt,
  );
  const { admissionOpensAt = null, admissionClosesAt = null } = timed ?? {};
  const admission = { admissionOpensAt, admissionClosesAt };
  return { id, ...badge, perkIds, admission, registrationTypeId: null };
}

/** The gates of a door, as `decideCheckin` takes them. */
export const gatesOfRoster = ({ subjectType, gates }: RosterDoor): readonly Gate[] =>
  gates.map((perkIds) => ({ of: subjectType, perkIds }));
