import { normalEmail } from '@event-api/contracts/email';

/** An invitation as a decision sees it. */
export interface InvitationState {
  email: string | null;
  expiresAt: Date;
  revokedAt: Date | null;
  acceptedBy: string | null;
}

/** The operator who has the link. */
export interface Acceptor {
  operatorId: string;
  email: string | null;
  emailVerified: boolean;
}

export type AcceptanceDecision =
  | { outcome: 'accept' }
  /** The operator has accepted it before, and did not get the response. */
  | { outcome: 'accepted' }
  | { outcome: 'ended' }
  | { outcome: 'for_other' };

/** Whether an invitation can still be accepted. */
export const isOpen = (
  { expiresAt, revokedAt, acceptedBy }: Omit<InvitationState, 'email'>,
  now: Date,
): boolean => acceptedBy === null && revokedAt === null && expiresAt > now;

/**
 * Decides whether an operator accepts an invitation. An unknown link is like one that has ended.
 */
export function decideAcceptance(
  invitation: InvitationState | null,
  operator: Acceptor,
  now: Date,
): AcceptanceDecision {
  if (!invitation) return { outcome: 'ended' };
  if (invitation.acceptedBy === operator.operatorId) return { outcome: 'accepted' };
  if (!isOpen(invitation, now)) return { outcome: 'ended' };
  if (invitation.email !== null && !hasEmail(operator, invitation.email)) {
    return { outcome: 'for_other' };
  }
  return { outcome: 'accept' };
}

const hasEmail = ({ email, emailVerified }: Acceptor, invited: string): boolean =>
  emailVerified && email !== null && normalEmail(email) === invited;
