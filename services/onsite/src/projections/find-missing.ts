import type { EventScope } from '@event-api/contracts/internal/scope';
import { perkSnapshot } from '@event-api/contracts/messages/catalog';
import { registrationSnapshot } from '@event-api/contracts/messages/registration';
import type { Db } from '@event-api/platform/db/database';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { findPerks, hasRegistration } from './projections.queries.ts';

interface Deps {
  db: Db;
  refresher: ProjectionRefresher;
}

/**
 * Returns the fields that name a perk which the event does not have. Fetches missing perks from
 * catalog first. Errors:
 * 503.
 */
export async function findMissingPerks(
  { db, refresher }: Deps,
  scope: EventScope,
  perkIds: readonly string[],
): Promise<string[]> {
  if (perkIds.length === 0) return [];
  let existing = await findPerks(db, scope, perkIds);
  const { businessUnitId } = scope;
  const missing = [...new Set(perkIds)].filter((id) => !existing.includes(id));
  if (missing.length === 0) return [];
  await refresher.refresh(missing.map((id) => ({ type: perkSnapshot.type, businessUnitId, id })));
  existing = await findPerks(db, scope, perkIds);
  return perkIds.flatMap((id, index) => (existing.includes(id) ? [] : [`perkIds[${index}]`]));
}

/**
 * Returns whether the event has this registration, in any status. Fetches a missing one from
 * registration first.
 * Errors: 503.
 */
export async function registrationExists(
  { db, refresher }: Deps,
  scope: EventScope,
  registrationId: string,
): Promise<boolean> {
  if (await hasRegistration(db, scope, registrationId)) return true;
  const { businessUnitId } = scope;
  await refresher.refresh([
    { type: registrationSnapshot.type, businessUnitId, id: registrationId },
  ]);
  return hasRegistration(db, scope, registrationId);
}
