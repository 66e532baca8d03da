import { readBadge } from '@event-api/contracts/internal/badges';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { ApiError } from '@event-api/platform/core/errors';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { PerkDelivery } from '../projections/queries.ts';
import type { Badge, PresentedBadge } from './rules.ts';

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
    const { perkIds, perkSources = null } = response;
    const { id, checkinCode: code, status, name, registrationTypeId } = response.registration;
    // The previous release of registration sends neither replaced codes, nor name and ticket type.
    const { replacedCheckinCodes = [] } = response.registration;
    const badge = { id, checkinCode: code, replacedCheckinCodes, status, perkIds };
    return {
      outcome: 'found',
      badge: { ...badge, name: name ?? null, registrationTypeId: registrationTypeId ?? null },
      perkSources,
    };
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.code === 404;
    return isUnknown ? { outcome: 'unknown' } : { outcome: 'unavailable', error };
  }
}
