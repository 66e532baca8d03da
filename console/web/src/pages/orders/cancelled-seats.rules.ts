import type { FoundOrder } from '../../api/records.ts';

type CancelledSeat = FoundOrder['cancelledSeats'][number];
type RefundState = FoundOrder['refunds'][number]['state'];

/** The cause of a refund that the policy of an order promises for a cancelled seat. */
const policyCause = 'refund_policy';

export type SeatEnd =
  /** The platform has not decided yet what is paid back. */
  | { outcome: 'undecided' }
  /** No rule applied any more. */
  | { outcome: 'too_late' }
  /** A rule of the policy, counted from 1, gives `refundAmount`; `state` is that of its refund. */
  | {
      outcome: 'by_rule';
      rule: number;
      state: RefundState | null;
      amounts: Pick<CancelledSeat, 'refundAmount' | 'keptAmount' | 'feeAmount'>;
    };

/**
 * What the policy of an order has given for the cancelled seat of a registration; null for a seat
 * without a decision of the policy: an order without rules, or a refund by an operator.
 */
export function endOfSeat(
  {
    cancelledSeats,
    refunds,
    refundPolicy,
    status,
  }: Pick<FoundOrder, 'cancelledSeats' | 'refunds' | 'refundPolicy' | 'status'>,
  registrationId: string,
): SeatEnd | null {
  const seat = cancelledSeats.find((each) => each.registrationId === registrationId);
  const hasRules = (refundPolicy?.bands.length ?? 0) > 0;
  if (!seat) return hasRules && status === 'paid' ? { outcome: 'undecided' } : null;
  if (!hasRules || seat.reason === 'settled') return null;
  if (seat.band === null) return { outcome: 'too_late' };
  const refund = refunds.find(
    ({ cause, registrationIds }) =>
      cause === policyCause && registrationIds.includes(registrationId),
  );
  const { refundAmount, keptAmount, feeAmount } = seat;
  return {
    outcome: 'by_rule',
    rule: seat.band + 1,
    state: refund?.state ?? null,
    amounts: { refundAmount, keptAmount, feeAmount },
  };
}
