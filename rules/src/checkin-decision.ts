import type { SubjectType } from '@event-api/contracts/http/checkins';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';

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

/** A rule that was evaluated, with its result. */
export type EvaluatedRule =
  | { rule: 'door'; passed: boolean }
  | { rule: 'badge'; passed: boolean }
  | { rule: 'badge_current'; passed: boolean }
  | { rule: 'badge_code'; passed: boolean }
  | { rule: 'confirmed'; passed: boolean; registrationStatus: RegistrationStatus }
  | ({ rule: 'gate'; passed: boolean } & Gate);

export type CheckinDecision = { rules: readonly EvaluatedRule[] } & (
  | { outcome: 'admitted'; badge: Badge }
  | { outcome: 'unknown_door' }
  | { outcome: 'unknown_badge' }
  | { outcome: 'badge_replaced' }
  | { outcome: 'badge_mismatch' }
  | { outcome: 'not_confirmed'; registrationStatus: RegistrationStatus }
  | { outcome: 'gate_closed'; perkIds: readonly string[] }
);

/**
 * Decides whether a badge opens a door, by the first rule that does not pass: the door exists, the
 * badge exists, its code was not replaced and belongs to the registration, the registration is
 * confirmed, each gate opens. Earlier check-ins are left to the unique constraint of the table. The
 * server and devices that are offline decide with this function.
 * Source: docs/algorithms/check-in.md.
 */
export function decideCheckin(
  presented: HashedBadge,
  badge: Badge | null,
  gates: Gates,
): CheckinDecision {
  const rules = evaluateRules(presented, badge, gates);
  const broken = rules.find(({ passed }) => !passed);
  if (badge && !broken) return { outcome: 'admitted', badge, rules };
  switch (broken?.rule) {
    case 'door':
      return { outcome: 'unknown_door', rules };
    case 'badge_current':
      return { outcome: 'badge_replaced', rules };
    case 'badge_code':
      return { outcome: 'badge_mismatch', rules };
    case 'confirmed':
      return { outcome: 'not_confirmed', registrationStatus: broken.registrationStatus, rules };
    case 'gate':
      return { outcome: 'gate_closed', perkIds: broken.perkIds, rules };
    default:
      return { outcome: 'unknown_badge', rules };
  }
}

/** Evaluates every rule that applies to what was found, in the order in which they count. */
function evaluateRules(
  { codeHash }: HashedBadge,
  badge: Badge | null,
  gates: Gates,
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
  const { status: registrationStatus, perkIds } = badge;
  const isConfirmed = registrationStatus === 'confirmed';
  rules.push({ rule: 'confirmed', passed: isConfirmed, registrationStatus });
  for (const gate of gates ?? []) {
    rules.push({ rule: 'gate', passed: opens(gate.perkIds, perkIds), ...gate });
  }
  return rules;
}

const opens = (gate: readonly string[], perkIds: readonly string[]): boolean =>
  gate.length === 0 || gate.some((perkId) => perkIds.includes(perkId));
