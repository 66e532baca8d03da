import type { EffectivePerk, PerkSource } from '@event-api/contracts/http/registrations';

/** Something that delivers perks. Null where it is not known here what it delivers. */
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

/** The ids of all that sources deliver, each once. */
export const perkIdsOf = (sources: readonly PerkDelivery[]): string[] =>
  [...new Set(sources.flatMap(({ perkIds }) => perkIds ?? []))].sort();

/**
 * The union of what sources deliver: each perk once, the oldest first, with every source that delivers
 * it, in the order of the sources. A perk that is not known has no name and is left out.
 * Source: docs/rules.md, "Perks".
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
