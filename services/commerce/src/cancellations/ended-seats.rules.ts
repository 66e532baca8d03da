import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import { isEnded } from '../orders/order-seats.rules.ts';
import {
  decideCancelledSeat,
  type EndedSeat,
  followsEvent,
} from '../refunds/cancelled-seats.rules.ts';
import { type ExistingRefund, refundPolicyCause } from '../refunds/refunds.rules.ts';
import { splitRefund } from '../refunds/split.rules.ts';
import {
  type CancelledEvent,
  decideOrderCancellation,
  type OrderCancellation,
  type PaidOrder,
} from './cancellations.rules.ts';

/** A paid order, and what commerce has been told about its registrations. */
export interface EndingOrder extends PaidOrder {
  registrationStatuses: Readonly<Record<string, RegistrationStatus>>;
}

/**
 * Whether a seat of an order is to be decided by the policy before the refund of its cancelled event
 * is: it ended before the event. Also while commerce does not know how a registration has ended:
 * registration has cancelled all of them, and its messages may be late.
 */
export const awaitsSeats = (
  { lines, registrationStatuses }: Pick<EndingOrder, 'lines' | 'registrationStatuses'>,
  undecided: readonly EndedSeat[],
  event: { cancelledAt: Date | null },
): boolean =>
  undecided.some((seat) => !followsEvent(seat, event)) ||
  lines.some(({ registrationIds, unfulfilledRegistrationIds }) =>
    registrationIds.some(
      (id) =>
        id in registrationStatuses &&
        !isEnded(registrationStatuses[id]) &&
        !unfulfilledRegistrationIds.includes(id),
    ),
  );

/**
 * What the cancellation of its event would decide about an order, after the policy is applied to the
 * seats that have ended before. `ofSeats` is what is paid back for them, too: what the policy makes
 * due is sent with the refunds of the event, unless there are none.
 */
export function foreseeOrderCancellation(
  order: PaidOrder,
  { refunds, undecided }: { refunds: readonly ExistingRefund[]; undecided: readonly EndedSeat[] },
  event: Omit<CancelledEvent, 'cancelledAt'> & { cancelledAt: Date | null; now: Date },
): { decision: OrderCancellation; ofSeats: number } {
  const known = [...refunds];
  const cancelledSeats = [...order.cancelledSeats];
  let ofSeats = 0;
  for (const seat of undecided.filter((each) => !followsEvent(each, event))) {
    const { registrationId } = seat;
    const facts = { refunds: known, event, isUnstored: false };
    const decided = decideCancelledSeat(order, seat, facts);
    if (decided.outcome === 'wait') continue;
    const { amounts, refund: state } = decided;
    cancelledSeats.push({ registrationId, ...amounts });
    if (state === null) continue;
    for (const part of splitRefund(order, known, amounts.refundAmount)) {
      known.push({
        ...{ ...part, id: registrationId, state },
        ...{ cause: refundPolicyCause, requestedExtent: null },
        ...{ registrationIds: [registrationId], revokesSeats: true },
      });
    }
    if (state === 'pending' || event.refund !== 'none') ofSeats += amounts.refundAmount;
  }
  const terms = { ...event, cancelledAt: event.cancelledAt ?? event.now };
  return { decision: decideOrderCancellation({ ...order, cancelledSeats }, known, terms), ofSeats };
}
