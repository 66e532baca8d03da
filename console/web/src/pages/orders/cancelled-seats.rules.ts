import type { FoundOrder } from '../../api/records.ts';
import { decidesByPolicy } from '../../components/ledger/seats.rules.ts';

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
 * What the policy of an order has given for the cancelled seat of a registration, or by its own id
 * for a seat that was sold without a name; null for a seat without a decision of the policy: an
 * order without rules, or a refund by an operator.
 */
export function endOfSeat(
  {
    cancelledSeats,
    refunds,
    refundPolicy,
    status,
    seats,
  }: Pick<FoundOrder, 'cancelledSeats' | 'refunds' | 'refundPolicy' | 'status' | 'seats'>,
  id: string,
): SeatEnd | null {
  const seat = cancelledSeats.find((each) => each.registrationId === id);
  const hasRules = decidesByPolicy({ refundPolicy });
  // The policy decides on a seat without a name in the step that cancels it.
  const isDecidedLater = hasRules && status === 'paid' && !seats.some((each) => each.id === id);
  if (!seat) return isDecidedLater ? { outcome: 'undecided' } : null;
  if (!hasRules || seat.reason === 'settled') return null;
  if (seat.band === null) return { outcome: 'too_late' };
  const refund = refunds.find(
    ({ cause, registrationIds }) => cause === policyCause && registrationIds.includes(id),
  );
  const { refundAmount, keptAmount, feeAmount } = seat;
  return {
    outcome: 'by_rule',
    rule: seat.band + 1,
    state: refund?.state ?? null,
    amounts: { refundAmount, keptAmount, feeAmount },
  };
}
