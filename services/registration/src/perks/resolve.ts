import type { EffectivePerk } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import {
  addonSnapshot,
  perkSnapshot,
  ticketTypeSnapshot,
} from '@event-api/contracts/messages/catalog';
import { notFound } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import type {
  ProjectionRefresher,
  RecordRef,
} from '@event-api/platform/messaging/projections/refresher';
import { readRegistration } from '../registrations/registrations.queries.ts';
import { findPerks, findSourcesOfRegistration } from './perks.queries.ts';
import { effectivePerks, type PerkDelivery, type PerkDetails, perkIdsOf } from './perks.rules.ts';

interface Deps {
  db: Db;
  refresher: ProjectionRefresher;
}

const projectedSources: Partial<Record<PerkDelivery['type'], string>> = {
  registration_type: ticketTypeSnapshot.type,
  addon: addonSnapshot.type,
};

/**
 * Returns the sources with the perks that they deliver. Sources that are missing in the projections
 * are refreshed first. While their owner is unavailable they deliver no perks, so that the read
 * still succeeds.
 */
export async function loadPerkSources<Delivery extends PerkDelivery>(
  { refresher }: Pick<Deps, 'refresher'>,
  { businessUnitId }: EventScope,
  find: () => Promise<Delivery[]>,
): Promise<Delivery[]> {
  const sources = await find();
  const missing = sources.flatMap(({ type, id, perkIds }) => {
    const projectedType = projectedSources[type];
    return perkIds === null && projectedType ? [{ type: projectedType, businessUnitId, id }] : [];
  });
  return (await refreshRecords(refresher, missing)) ? find() : sources;
}

/**
 * Returns the perks of the sources with their names. Perks that are missing in the projections are
 * refreshed first.
 */
export async function loadPerks(
  { db, refresher }: Deps,
  scope: EventScope,
  sources: readonly PerkDelivery[],
): Promise<EffectivePerk[]> {
  const { businessUnitId } = scope;
  const ids = perkIdsOf(sources);
  if (ids.length === 0) return [];
  let perks = await findPerks(db, scope, ids);
  const missing = ids
    .filter((id) => !perks.some((perk) => perk.id === id))
    .map((id) => ({ type: perkSnapshot.type, businessUnitId, id }));
  if (await refreshRecords(refresher, missing)) perks = await findPerks(db, scope, ids);
  return effectivePerks(sources, perks);
}

async function refreshRecords(
  refresher: ProjectionRefresher,
  records: readonly RecordRef[],
): Promise<boolean> {
  if (records.length === 0) return false;
  return refresher.refresh(records).catch(() => false);
}

/**
 * Returns the effective perks of a registration in any status: the union of what its sources
 * deliver.
 * Errors: 404.
 */
export async function readPerks(
  deps: Deps,
  scope: EventScope,
  registrationId: string,
): Promise<EffectivePerk[]> {
  await readRegistration(deps.db, scope, registrationId);
  const sources = await loadPerkSources(deps, scope, () =>
    findSourcesOfRegistration(deps.db, scope, registrationId),
  );
  return loadPerks(deps, scope, sources);
}

/**
 * Returns a perk of the event; refreshes the projection before a 404. A perk never leaves its
 * event, so no lock is needed. Errors: 404, 503.
 */
export async function requirePerk(
  { db, refresher }: Deps,
  scope: EventScope,
  perkId: string,
): Promise<PerkDetails> {
  const find = async () => (await findPerks(db, scope, [perkId]))[0];
  const existing = await find();
  if (existing) return existing;
  const { businessUnitId } = scope;
  await refresher.refresh([{ type: perkSnapshot.type, businessUnitId, id: perkId }]);
  const refreshed = await find();
  if (!refreshed) throw notFound('perk');
  return refreshed;
}
