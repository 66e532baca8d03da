import type { Perk as PerkContract, PerkTargetType } from '@event-api/contracts/operator/perks';
import type { z } from 'zod';

/** A perk with its bindings, as operators read it. */
export interface PerkRow {
  id: string;
  eventId: string;
  name: string;
  description: string | null;
  bindings: { targetType: PerkTargetType; targetId: string }[];
  createdAt: Date;
}

/** The response body of a perk. */
export function perkView(row: PerkRow): z.input<typeof PerkContract> {
  return {
    id: row.id,
    eventId: row.eventId,
    name: row.name,
    description: row.description,
    bindings: row.bindings,
    createdAt: row.createdAt.toISOString(),
  };
}
