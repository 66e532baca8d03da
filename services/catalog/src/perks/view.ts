import type { Perk as PerkContract, PerkTargetType } from '@event-api/contracts/operator/perks';
import type { z } from 'zod';

/** The columns of a perk that are shown, with what delivers it. */
export interface PerkRow {
  id: string;
  eventId: string;
  name: string;
  description: string | null;
  bindings: { targetType: PerkTargetType; targetId: string }[];
  createdAt: Date;
}

/** A perk as operators see it. */
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
