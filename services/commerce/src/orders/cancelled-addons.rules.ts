import type { addonRefundReasons, CancelledAddonUnits } from '@event-api/contracts/http/orders';
import type { z } from 'zod';

/** An executed change as it is stored, as far as it has cancelled units of add-ons. */
export interface AddonChange {
  /** ISO 8601 with any offset. */
  executedAt: string;
  units: readonly { itemIndex: number; quantity: number; registrationId?: string | null }[];
  /** The lines of its quote: those of seats, then one for each entry of `units`. */
  lines: readonly {
    paid: number;
    refund: number;
    band: number | null;
    reason: (typeof addonRefundReasons)[number];
  }[];
}

/** The units of add-ons that changes have cancelled, with the amounts that their quotes promised. */
export const cancelledAddonsOf = (
  changes: readonly AddonChange[],
): z.input<typeof CancelledAddonUnits>[] =>
  changes.flatMap(({ executedAt, units, lines }) => {
    const ofUnits = lines.slice(lines.length - units.length);
    return units.flatMap(({ itemIndex, quantity, registrationId = null }, n) => {
      const line = ofUnits[n];
      if (!line) return [];
      const { paid, refund, band, reason } = line;
      return {
        ...{ itemIndex, registrationId, quantity },
        cancelledAt: new Date(executedAt).toISOString(),
        ...{ paidAmount: paid, refundAmount: refund, keptAmount: paid - refund, band, reason },
      };
    });
  });
