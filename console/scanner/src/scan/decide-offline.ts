import type { RosterBadge, RosterDoor, RosterEvent } from '@event-api/contracts/http/roster';
import { decideCheckin, decideRepeat, type HashedBadge } from '@event-api/rules/checkin-decision';
import { badgeOfRoster, gatesOfRoster } from '@event-api/rules/roster-decision';
import { keyOf } from '../api/device.ts';
import type { Admission, Roster } from '../store/database.ts';
import type { Verdict } from './verdict.ts';

/** What a device knows about a badge and its door. */
export interface DecisionInput {
  badge: RosterBadge | null;
  roster: Pick<Roster, 'doors' | 'sources' | 'event'>;
  door: { subjectType: RosterDoor['subjectType']; subjectId: string };
  /** Whether the person was let in at this door before. */
  earlier: Admission | undefined;
  at: Date;
}

/** What a roster of an earlier version of the page says about its event. */
const unknownEvent: RosterEvent = {
  status: null,
  startsAt: null,
  endsAt: null,
  timezone: null,
  admissionOpensAt: null,
  admissionClosesAt: null,
  cancelledAt: null,
  refuseIfFormerInside: false,
};

/** Decides with the roster, by the same function as the platform. */
export function decideOffline(
  presented: HashedBadge,
  { badge, roster, door, earlier, at }: DecisionInput,
): Verdict {
  const rosterDoor = roster.doors.find((each) => keyOf(each) === keyOf(door));
  const sources = new Map(roster.sources.map((source) => [source.id, source]));
  const { event = unknownEvent } = roster;
  const decision = decideCheckin(
    presented,
    badge && badgeOfRoster(badge, sources),
    { gates: rosterDoor ? gatesOfRoster(rosterDoor) : null, event },
    at,
  );
  switch (decision.outcome) {
    case 'admitted': {
      const { id: registrationId, name } = decision.badge;
      const { notice } = decision;
      const person = { registrationId, name: name ?? '', notice };
      if (!earlier) return { kind: 'admitted', ...person };
      const { at: checkedInAt, codeHash = null } = earlier;
      const repeat = decideRepeat(decision.badge, { codeHash }, event);
      return repeat.outcome === 'already'
        ? { kind: 'already', ...person, checkedInAt, badgeReplaced: repeat.badgeReplaced }
        : { kind: 'former_inside', checkedInAt };
    }
    case 'unknown_door':
      return { kind: 'door_gone' };
    case 'badge_replaced':
      return { kind: 'replaced' };
    case 'event_cancelled':
      return { kind: 'event_cancelled' };
    case 'not_confirmed':
      return { kind: 'not_confirmed', registrationStatus: decision.registrationStatus };
    case 'gate_closed':
      // The roster has no names of perks.
      return { kind: 'gate_closed', perks: [] };
    case 'admission_closed': {
      const { admissionOpensAt, admissionClosesAt } = decision;
      return { kind: 'admission_closed', admissionOpensAt, admissionClosesAt };
    }
    case 'unknown_badge':
    case 'badge_mismatch':
      return { kind: 'unknown_badge' };
  }
}
