import type { EffectivePerk, PerkSource } from '@event-api/contracts/http/registrations';

/** A source of perks. `perkIds` is null if the projections do not have the source. */
export interface PerkDelivery {
  type: PerkSource['type'];
  id: string;
  perkIds: readonly string[] | null;
}

export interface PerkDetails {
  id: string;
  name: string;
  description: string | null;
}

/** The distinct ids of the perks that sources deliver, sorted. */
export const perkIdsOf = (sources: readonly PerkDelivery[]): string[] =>
  [...new Set(sources.flatMap(({ perkIds }) => perkIds ?? []))].sort();

/**
 * The union of what sources deliver: each perk once, oldest first, with every source that delivers
 * it, in the order of the sources. A perk that is missing in the projection has no name and is left
 * out.
 */
export function effectivePerks(
  sources: readonly PerkDelivery[],
  perks: readonly PerkDetails[],
): EffectivePerk[] {
  const byId = new Map(perks.map((perk) => [perk.id, perk]));
  return perkIdsOf(sources).flatMap((perkId) => {
    const perk = byId.get(perkId);
    if (!perk) return [];
    const delivering = sources.filter(({ perkIds }) => perkIds?.includes(perkId));
    return {
      id: perk.id,
      name: perk.name,
      description: perk.description,
      sources: delivering.map(({ type, id }) => ({ type, id })),
    };
  });
}
