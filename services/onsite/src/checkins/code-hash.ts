import { hash } from 'node:crypto';
import { codeHashBytes, codeHashInput } from '@event-api/contracts/http/badge-code';
import type { Badge, HashedBadge } from '@event-api/rules/checkin-decision';

/** A badge as a request names it: by the id of its registration, its code, or both. */
export interface PresentedBadge {
  registrationId?: string | undefined;
  checkinCode?: string | undefined;
}

/** The same hash as `hashBadgeCode`, without a promise. */
export const codeHashOf = (code: string): string =>
  hash('sha256', codeHashInput(code), 'buffer').subarray(0, codeHashBytes).toString('base64url');

/** What the decision sees of a badge: the hash of its code. */
export const hashedBadge = ({ registrationId, checkinCode }: PresentedBadge): HashedBadge => ({
  registrationId,
  codeHash: checkinCode === undefined ? undefined : codeHashOf(checkinCode),
});

/** The code of the badge that a request has shown: its own one, or that of the registration. */
export const shownCodeHash = (presented: PresentedBadge, badge: Pick<Badge, 'codeHash'>): string =>
  hashedBadge(presented).codeHash ?? badge.codeHash;
