import { readBadge } from '@event-api/contracts/internal/badges';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { ApiError } from '@event-api/platform/core/errors';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { Badge } from '@event-api/rules/checkin-decision';
import type { z } from 'zod';
import type { PerkDelivery } from '../projections/projections.queries.ts';
import { codeHashOf, type PresentedBadge } from './code-hash.ts';

/** The result of fetching a badge from registration. */
export type BadgeResult =
  | { outcome: 'found'; badge: Badge; perkSources: readonly PerkDelivery[] | null }
  /** The event has no registration with this id or badge code. */
  | { outcome: 'unknown' }
  /** Registration failed or did not respond within the timeout. */
  | { outcome: 'unavailable'; error: unknown };

/** Fetches a badge from registration. Never throws. */
export async function fetchBadge(
  registration: ServiceClient,
  scope: EventScope,
  { registrationId, checkinCode }: PresentedBadge,
): Promise<BadgeResult> {
  const { businessUnitId, eventId } = scope;
  // Only one of them is sent. With both, registration does not report which one is unknown.
  const identifier = registrationId === undefined ? { checkinCode } : { registrationId };
  try {
    const response = await registration.call(readBadge, { businessUnitId, eventId, ...identifier });
    return {
      outcome: 'found',
      badge: badgeOf(response),
      perkSources: response.perkSources,
    };
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.code === 404;
    return isUnknown ? { outcome: 'unknown' } : { outcome: 'unavailable', error };
  }
}

type SentBadge = Pick<
  z.output<(typeof readBadge.schema.response)[200]>,
  'registration' | 'perkIds'
>;

/** The badge of a response of registration. */
export function badgeOf({ registration, perkIds }: SentBadge): Badge {
  const { id, checkinCode, replacedCheckinCodes, status, name, registrationTypeId } = registration;
  const { admissionOpensAt, admissionClosesAt } = registration;
  const admission = { admissionOpensAt, admissionClosesAt };
  const codeHash = codeHashOf(checkinCode);
  const replacedCodeHashes = replacedCheckinCodes.map(codeHashOf);
  return { id, codeHash, replacedCodeHashes, status, perkIds, admission, name, registrationTypeId };
}
