import type { RosterBadge, RosterDoor } from '@event-api/contracts/http/roster';
import { decideCheckin, type HashedBadge } from '@event-api/rules/checkin-decision';
import { badgeOfRoster, gatesOfRoster } from '@event-api/rules/roster-decision';
import { keyOf } from '../api/device.ts';
import type { Admission, Roster } from '../store/database.ts';
import type { Verdict } from './verdict.ts';

/** What a device knows about a badge and its door. */
export interface DecisionInput {
  badge: RosterBadge | null;
  roster: Pick<Roster, 'doors' | 'sources'>;
  door: { subjectType: RosterDoor['subjectType']; subjectId: string };
  /** Whether this device has let the person in at this door before. */
  earlier: Admission | undefined;
}

/** Decides with the roster, by the same function as the platform. */
export function decideOffline(
  presented: HashedBadge,
  { badge, roster, door, earlier }: DecisionInput,
): Verdict {
  const rosterDoor = roster.doors.find((each) => keyOf(each) === keyOf(door));
  const sources = new Map(roster.sources.map(({ id, perkIds }) => [id, perkIds]));
  const decision = decideCheckin(
    presented,
    badge && badgeOfRoster(badge, sources),
    rosterDoor ? gatesOfRoster(rosterDoor) : null,
  );
  switch (decision.outcome) {
    case 'admitted': {
      const { id: registrationId, name } = decision.badge;
      const person = { registrationId, name: name ?? '' };
      return earlier
        ? { kind: 'already', ...person, checkedInAt: earlier.at }
        : { kind: 'admitted', ...person };
    }
    case 'unknown_door':
      return { kind: 'door_gone' };
    case 'badge_replaced':
      return { kind: 'replaced' };
    case 'not_confirmed':
      return { kind: 'not_confirmed', registrationStatus: decision.registrationStatus };
    case 'gate_closed':
      // The roster has no names of perks.
      return { kind: 'gate_closed', perks: [] };
    case 'unknown_badge':
    case 'badge_mismatch':
      return { kind: 'unknown_badge' };
  }
}
