import type { CheckinNotice, SubjectType } from '@event-api/contracts/http/checkins';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { RosterEvent } from '@event-api/contracts/http/roster';
import { dateIn } from './date-in.ts';

/** Between which instants people are admitted. Null means without a limit. */
export type AdmissionTimes = Pick<RosterEvent, 'admissionOpensAt' | 'admissionClosesAt'>;

/** The registration of a badge, with its perks from all sources. */
export interface Badge {
  id: string;
  name: string | null;
  registrationTypeId: string | null;
  /** See `hashBadgeCode` of the contracts. */
  codeHash: string;
  /** The hashes of the codes of its former badges. */
  replacedCodeHashes: readonly string[];
  status: RegistrationStatus;
  perkIds: readonly string[];
  /** The times of its ticket type. */
  admission: AdmissionTimes;
}

/** What is shown at a door: the id of a registration, the hash of a badge code, or both. */
export interface HashedBadge {
  registrationId?: string | undefined;
  codeHash?: string | undefined;
}

/** A gate of a door. It opens for any of its perks; a gate without perks opens for everyone. */
export interface Gate {
  /** Whose gate it is: a session also has the gate of its venue. */
  of: SubjectType;
  perkIds: readonly string[];
}

/** The gates of a door, all of which must open. Null if the event has no such door. */
export type Gates = readonly Gate[] | null;

/** A door with what its event says about all of its doors. */
export interface Door {
  gates: Gates;
  event: RosterEvent;
}

/** A rule that was evaluated, with its result. */
export type EvaluatedRule =
  | { rule: 'door'; passed: boolean }
  | { rule: 'badge'; passed: boolean }
  | { rule: 'badge_current'; passed: boolean }
  | { rule: 'badge_code'; passed: boolean }
  | { rule: 'event'; passed: boolean }
  | { rule: 'confirmed'; passed: boolean; registrationStatus: RegistrationStatus }
  | ({ rule: 'gate'; passed: boolean } & Gate)
  | ({ rule: 'admission'; passed: boolean; of: 'event' | 'registration_type' } & AdmissionTimes);

export type CheckinDecision = { rules: readonly EvaluatedRule[] } & (
  | { outcome: 'admitted'; badge: Badge; notice: CheckinNotice | null }
  | { outcome: 'unknown_door' }
  | { outcome: 'unknown_badge' }
  | { outcome: 'badge_replaced' }
  | { outcome: 'badge_mismatch' }
  | { outcome: 'event_cancelled' }
  | { outcome: 'not_confirmed'; registrationStatus: RegistrationStatus }
  | { outcome: 'gate_closed'; perkIds: readonly string[] }
  | ({ outcome: 'admission_closed' } & AdmissionTimes)
);

/**
 * Decides whether a badge opens a door at an instant, by the first rule that does not pass: the
 * door exists, the badge exists, its code was not replaced and belongs to the registration, the
 * event is not cancelled, the registration is confirmed, each gate opens, the event and the ticket
 * type admit people at this time. An earlier check-in is left to the unique constraint of the table
 * and to `decideRepeat`.
 * The server and devices that are offline decide with this function.
 * Source: docs/algorithms/check-in.md.
 */
export function decideCheckin(
  presented: HashedBadge,
  badge: Badge | null,
  door: Door,
  at: Date,
): CheckinDecision {
  const rules = evaluateRules(presented, badge, door, at);
  const broken = rules.find(({ passed }) => !passed);
  if (badge && !broken) {
    return { outcome: 'admitted', badge, notice: noticeAt(door.event, at), rules };
  }
  switch (broken?.rule) {
    case 'door':
      return { outcome: 'unknown_door', rules };
    case 'badge_current':
      return { outcome: 'badge_replaced', rules };
    case 'badge_code':
      return { outcome: 'badge_mismatch', rules };
    case 'event':
      return { outcome: 'event_cancelled', rules };
    case 'confirmed':
      return { outcome: 'not_confirmed', registrationStatus: broken.registrationStatus, rules };
    case 'gate':
      return { outcome: 'gate_closed', perkIds: broken.perkIds, rules };
    case 'admission': {
      const { admissionOpensAt, admissionClosesAt } = broken;
      return { outcome: 'admission_closed', admissionOpensAt, admissionClosesAt, rules };
    }
    default:
      return { outcome: 'unknown_badge', rules };
  }
}

/** Evaluates every rule that applies to what was found, in the order in which they count. */
function evaluateRules(
  { codeHash }: HashedBadge,
  badge: Badge | null,
  { gates, event }: Door,
  at: Date,
): EvaluatedRule[] {
  const rules: EvaluatedRule[] = [
    { rule: 'door', passed: gates !== null },
    { rule: 'badge', passed: badge !== null },
  ];
  if (!badge) return rules;
  if (codeHash !== undefined) {
    const { replacedCodeHashes: replaced } = badge;
    if (replaced.length > 0) {
      rules.push({ rule: 'badge_current', passed: !replaced.includes(codeHash) });
    }
    rules.push({ rule: 'badge_code', passed: codeHash === badge.codeHash });
  }
  // A roster of an earlier version of the page does not say it.
  const cancelledAt = event.cancelledAt ?? null;
  if (cancelledAt !== null) {
    rules.push({ rule: 'event', passed: at.getTime() < Date.parse(cancelledAt) });
  }
  const { status: registrationStatus, perkIds } = badge;
  const isConfirmed = registrationStatus === 'confirmed';
  rules.push({ rule: 'confirmed', passed: isConfirmed, registrationStatus });
  for (const gate of gates ?? []) {
    rules.push({ rule: 'gate', passed: opens(gate.perkIds, perkIds), ...gate });
  }
  const times = [
    ['event', event],
    ['registration_type', badge.admission],
  ] as const;
  for (const [of, { admissionOpensAt, admissionClosesAt }] of times) {
    if (admissionOpensAt === null && admissionClosesAt === null) continue;
    const passed = isWithin({ admissionOpensAt, admissionClosesAt }, at);
    rules.push({ rule: 'admission', passed, of, admissionOpensAt, admissionClosesAt });
  }
  return rules;
}

const opens = (gate: readonly string[], perkIds: readonly string[]): boolean =>
  gate.length === 0 || gate.some((perkId) => perkIds.includes(perkId));

/** The first instant is within, the last one is not. */
const isWithin = ({ admissionOpensAt, admissionClosesAt }: AdmissionTimes, at: Date): boolean =>
  (admissionOpensAt === null || Date.parse(admissionOpensAt) <= at.getTime()) &&
  (admissionClosesAt === null || at.getTime() < Date.parse(admissionClosesAt));

/** What is unusual about a check-in at this time, which is made nevertheless. */
function noticeAt(event: RosterEvent, at: Date): CheckinNotice | null {
  const { status, startsAt, endsAt, timezone } = event;
  if (status !== null && status !== 'published') return 'EVENT_NOT_PUBLISHED';
  if (timezone === null) return null;
  const dateOf = (instant: string) => dateIn(timezone, new Date(instant));
  const date = dateIn(timezone, at);
  const isBefore = startsAt !== null && date < dateOf(startsAt);
  const isAfter = endsAt !== null && date > dateOf(endsAt);
  return isBefore || isAfter ? 'OUTSIDE_EVENT_DAYS' : null;
}

/** What an earlier check-in of the registration at the door means for the badge that is shown. */
export type RepeatDecision =
  /** `badgeReplaced`: a former badge was let in, so this one was not shown yet. */
  { outcome: 'already'; badgeReplaced: boolean } | { outcome: 'former_badge_inside' };

/**
 * Decides about a badge that may enter and whose registration has a check-in at the door. Nobody
 * is let in by it a second time; the event decides whether the badge of an heir is refused.
 */
export function decideRepeat(
  badge: Pick<Badge, 'replacedCodeHashes'>,
  earlier: { codeHash: string | null },
  { refuseIfFormerInside }: Pick<RosterEvent, 'refuseIfFormerInside'>,
): RepeatDecision {
  const badgeReplaced = isFormerBadge(badge, earlier.codeHash);
  if (badgeReplaced && refuseIfFormerInside) return { outcome: 'former_badge_inside' };
  return { outcome: 'already', badgeReplaced };
}

/** Whether a code is that of a former badge. A check-in may have no known code. */
export const isFormerBadge = (
  { replacedCodeHashes }: Pick<Badge, 'replacedCodeHashes'>,
  codeHash: string | null,
): boolean => codeHash !== null && replacedCodeHashes.includes(codeHash);
