export interface RefundPolicyState {
  text: string;
  refundableUntil: Date | null;
}

export type RefundPolicyDecision = { outcome: 'unchanged' | 'event_archived' | 'replaced' };

/** Decides what setting this policy does. */
export function decideRefundPolicy(
  current: RefundPolicyState | null,
  next: RefundPolicyState,
  eventIsArchived: boolean,
): RefundPolicyDecision {
  const isSame =
    current !== null &&
    current.text === next.text &&
    current.refundableUntil?.getTime() === next.refundableUntil?.getTime();
  if (isSame) return { outcome: 'unchanged' };
  return { outcome: eventIsArchived ? 'event_archived' : 'replaced' };
}
