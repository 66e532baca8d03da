import type { Role } from '@event-api/contracts/permissions';

/** A member as a decision sees it. */
export interface MemberRole {
  operatorId: string;
  role: Role;
}

export type MemberDecision =
  | { outcome: 'change' }
  | { outcome: 'unchanged' }
  | { outcome: 'missing' }
  | { outcome: 'last_owner' };

/**
 * Decides whether a member gets another role, or with null none. `members` are all of the business
 * unit, locked: a unit keeps at least one owner.
 */
export function decideRole(
  members: readonly MemberRole[],
  operatorId: string,
  role: Role | null,
): MemberDecision {
  const member = members.find((each) => each.operatorId === operatorId);
  if (!member) return { outcome: 'missing' };
  if (member.role === role) return { outcome: 'unchanged' };
  const hasOtherOwner = members.some(
    (each) => each.role === 'owner' && each.operatorId !== operatorId,
  );
  if (member.role === 'owner' && !hasOtherOwner) return { outcome: 'last_owner' };
  return { outcome: 'change' };
}
