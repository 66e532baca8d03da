import type { bindCodePerk } from '@event-api/contracts/operator/registration-perks';
import type { z } from 'zod';
import type { PerkDetails } from './rules.ts';

/** A perk with the codes that deliver it, as operators see it. */
export function codePerkView(
  eventId: string,
  { id, name, description }: PerkDetails,
  codeIds: readonly string[],
): z.input<(typeof bindCodePerk.schema.response)[200]> {
  const bindings = codeIds.map((targetId) => ({
    targetType: 'redemption_code' as const,
    targetId,
  }));
  return { id, eventId, name, description, bindings };
}
