import type { EffectivePerk } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import {
  addonSnapshot,
  perkSnapshot,
  ticketTypeSnapshot,
} from '@event-api/contracts/messages/catalog';
import type { Db } from '@event-api/platform/db/database';
import type {
  ProjectionRefresher,
  RecordRef,
} from '@event-api/platform/messaging/projections/refresher';
import { findPerks } from './queries.ts';
import { effectivePerks, type PerkDelivery, perkIdsOf } from './rules.ts';

interface Deps {
  db: Db;
  refresher: ProjectionRefresher;
}

const projectedSources: Partial<Record<PerkDelivery['type'], string>> = {
  registration_type: ticketTypeSnapshot.type,
  addon: addonSnapshot.type,
};

/**
 * Sources with what they deliver. The owner is asked for those whose copy has not arrived; while the
 * owner is away they deliver nothing that is known here, which is better than no answer.
 */
export async function loadPerkSources(
  { refresher }: Deps,
  { businessUnitId }: EventScope,
  find: () => Promise<PerkDelivery[]>,
): Promise<PerkDelivery[]> {
  const sources = await find();
  const missing = sources.flatMap(({ type, id, perkIds }) => {
    const projectedType = projectedSources[type];
    return perkIds === null && projectedType ? [{ type: projectedType, businessUnitId, id }] : [];
  });
  return (await refreshRecords(refresher, missing)) ? find() : sources;
}

/** The perks that sources deliver, by name; those whose copy has not arrived are asked for. */
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
