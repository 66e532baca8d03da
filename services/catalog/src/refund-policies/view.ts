import type { RefundPolicy } from '@event-api/contracts/operator/refund-policies';
import type { z } from 'zod';

/** The columns of a refund policy that are shown. */
export interface RefundPolicyRow {
  text: string;
  refundableUntil: Date | null;
}

/** A refund policy as operators and other services see it; null where there is none. */
export function refundPolicyView(row: RefundPolicyRow | null): z.input<typeof RefundPolicy> | null {
  if (!row) return null;
  return { text: row.text, refundableUntil: row.refundableUntil?.toISOString() ?? null };
}
