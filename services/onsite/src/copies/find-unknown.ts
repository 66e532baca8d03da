import type { EventScope } from '@event-api/contracts/internal/scope';
import { perkSnapshot } from '@event-api/contracts/messages/catalog';
import { registrationSnapshot } from '@event-api/contracts/messages/registration';
import type { Db } from '@event-api/platform/db/database';
import type { AskOwner } from '@event-api/platform/projections/ask-owner';
import { findPerks, hasRegistration } from './queries.ts';

interface Deps {
  db: Db;
  askOwner: AskOwner;
}

/** The fields that name a perk which the event does not have, by catalog's word. Errors: 503. */
export async function findUnknownPerks(
  { db, askOwner }: Deps,
  scope: EventScope,
  perkIds: readonly string[],
): Promise<string[]> {
  if (perkIds.length === 0) return [];
  let known = await findPerks(db, scope, perkIds);
  const { businessUnitId } = scope;
  const missing = [...new Set(perkIds)].filter((id) => !known.includes(id));
  if (missing.length === 0) return [];
  await askOwner.refresh(missing.map((id) => ({ type: perkSnapshot.type, businessUnitId, id })));
  known = await findPerks(db, scope, perkIds);
  return perkIds.flatMap((id, index) => (known.includes(id) ? [] : [`perkIds[${index}]`]));
}

/** Whether the event has this registration, whatever its status, by registration's word. Errors: 503. */
export async function isRegistration(
  { db, askOwner }: Deps,
  scope: EventScope,
  registrationId: string,
): Promise<boolean> {
  if (await hasRegistration(db, scope, registrationId)) return true;
  const { businessUnitId } = scope;
  await askOwner.refresh([{ type: registrationSnapshot.type, businessUnitId, id: registrationId }]);
  return hasRegistration(db, scope, registrationId);
}
