import type { EffectivePerk } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import {
  addonSnapshot,
  perkSnapshot,
  ticketTypeSnapshot,
} from '@event-api/contracts/messages/catalog';
import type { Db } from '@event-api/platform/db/database';
import type { AskOwner, CopiedRecord } from '@event-api/platform/projections/ask-owner';
import { findPerks } from './queries.ts';
import { effectivePerks, perkIdsOf, type Source } from './rules.ts';

interface Deps {
  db: Db;
  askOwner: AskOwner;
}

const copiedSources: Partial<Record<Source['type'], string>> = {
  registration_type: ticketTypeSnapshot.type,
  addon: addonSnapshot.type,
};

/**
 * Sources with what they deliver. The owner is asked for those whose copy has not arrived; while the
 * owner is away they deliver nothing that is known here, which is better than no answer.
 */
export async function completeSources(
  { askOwner }: Deps,
  { businessUnitId }: EventScope,
  find: () => Promise<Source[]>,
): Promise<Source[]> {
  const sources = await find();
  const unknown = sources.flatMap(({ type, id, perkIds }) => {
    const copied = copiedSources[type];
    return perkIds === null && copied ? [{ type: copied, businessUnitId, id }] : [];
  });
  return (await refreshed(askOwner, unknown)) ? find() : sources;
}

/** The perks that sources deliver, by name; those whose copy has not arrived are asked for. */
export async function completePerks(
  { db, askOwner }: Deps,
  scope: EventScope,
  sources: readonly Source[],
): Promise<EffectivePerk[]> {
  const { businessUnitId } = scope;
  const ids = perkIdsOf(sources);
  if (ids.length === 0) return [];
  let known = await findPerks(db, scope, ids);
  const unknown = ids
    .filter((id) => !known.some((perk) => perk.id === id))
    .map((id) => ({ type: perkSnapshot.type, businessUnitId, id }));
  if (await refreshed(askOwner, unknown)) known = await findPerks(db, scope, ids);
  return effectivePerks(sources, known);
}

async function refreshed(askOwner: AskOwner, records: readonly CopiedRecord[]): Promise<boolean> {
  if (records.length === 0) return false;
  return askOwner.refresh(records).catch(() => false);
}
