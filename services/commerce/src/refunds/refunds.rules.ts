import type { Fulfilment } from '@event-api/contracts/internal/reservations';
import type { RefundCause, RefundExtent, RefundState } from '@event-api/contracts/operator/refunds';
import { remainsOf } from '../disputes/disputes.rules.ts';
import { receiversOfLine } from '../orders/fulfilled-lines.rules.ts';
import { type OrderedAddon, presentSeat, type Seat } from '../orders/lines.rules.ts';
import { timeouts } from '../timeouts.ts';
import { leftOfEach, type PaidMoney } from './split.rules.ts';

/**
 * Decides the refund for what was not delivered, for each line: seats whose attendee had registered
 * elsewhere, and add-ons whose recipient is not registered any more. It is the whole payment if no
 * part of the order could be fulfilled.
 */
export function decideSeatRefund(
  order: {
    lines: readonly PaidLine[];
    seats: readonly Seat[];
    addons: readonly OrderedAddon[];
  },
  fulfilment: Pick<Fulfilment, 'seats' | 'addonRegistrationId' | 'addonRegistrationIds'>,
): SeatRefund {
  const { seats, addonRegistrationId, addonRegistrationIds = [] } = fulfilment;
  const receivers = [addonRegistrationId, ...addonRegistrationIds.flat()];
  const isNothing = receivers.every((id) => id === null) && seats.every(({ created }) => !created);
  const amounts = order.lines.map(({ firstSeat, seatCount, totalAmount }, line) => {
    if (isNothing) return totalAmount;
    if (seatCount === 0) {
      const ids = receiversOfLine(order.addons, fulfilment, line) ?? [];
      const missing = ids.filter((id) => id === null).length;
      return missing === 0 ? 0 : Math.floor((totalAmount * missing) / ids.length);
    }
    const places = Array.from({ length: seatCount }, (_, n) => firstSeat + n);
    return sumOf(
      places.map((n) => {
        const seat = seats[n]?.created === false ? order.seats[n] : undefined;
        return seat ? presentSeat(seat).amount : 0;
      }),
    );
  });
  const amount = sumOf(amounts);
  return { amounts, amount, isAll: isNothing && amount > 0 };
}

interface PaidLine {
  firstSeat: number;
  seatCount: number;
  totalAmount: number;
}

export interface SeatRefund {
  /** One per line. */
  amounts: number[];
  amount: number;
  isAll: boolean;
}

const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + amount, 0);

/** The extent of an operator refund. */
export type RefundRequest =
  | { extent: 'all'; force: boolean }
  | { extent: 'onlyDue'; force: boolean }
  | { extent: 'amount'; amount: number; force: boolean };

export type RefundDecision =
  | { outcome: 'refund'; dueIds: string[]; amount: number }
  | ({ outcome: 'duplicate'; again: Again } & Duplicate)
  | { outcome: 'nothing' }
  | { outcome: 'nothing_due'; left: number }
  | { outcome: 'too_high'; left: number };

interface Duplicate {
  refundId: string;
  requestedAt: Date;
}

/** What the same request would do with `force`. */
type Again = Exclude<RefundDecision['outcome'], 'duplicate'>;

/** The cause of a refund that the refund policy of an order promises for a cancelled seat. */
export const refundPolicyCause = 'refund_policy';

/** The cause of the refund of an order whose event was cancelled. */
export const eventCancelledCause = 'event_cancelled';

/** The cause of a refund that was made at the provider and pays more than what was due. */
export const atProviderCause = 'at_provider';

const causesOfNothing: readonly string[] = [
  'late',
  'mismatch',
  'surplus',
  'unfulfillable',
  'attendee_registered',
] satisfies RefundCause[];

/**
 * Whether a refund returns money that pays for nothing, which nobody has to decide about. What a
 * refund policy promises is sent by its own rule.
 */
export const paysForNothing = (cause: RefundCause): boolean => causesOfNothing.includes(cause);

/** A stored refund. The registrations whose price it pays back may be revoked before it is sent. */
export interface ExistingRefund {
  id: string;
  state: RefundState;
  amount: number;
  settlementId: string;
  cause: string;
  requestedExtent: RefundExtent | null;
  registrationIds: readonly string[];
  revokesSeats: boolean;
}

interface RequestedRefund extends ExistingRefund {
  /** The request that it belongs to; its parts are refunds of several payments. */
  requestId: string | null;
  requestedAt: Date | null;
  requestedAgoMs: number | null;
}

/**
 * Decides what an operator's refund pays. It always pays everything that is due. Its extent adds
 * nothing, a given amount, or the rest of the payments. Refunds never exceed the payments; pending
 * ones count. A request that is identical to a recent one is a duplicate: it is more often a
 * repeated command than a second refund.
 */
export function decideRefund(
  order: PaidOrder,
  refunds: readonly RequestedRefund[],
  request: RefundRequest,
): RefundDecision {
  const decision = decideExtent(leftOf(order, refunds), dueIdsOf(refunds), request);
  if (request.force) return decision;
  const duplicate = findDuplicate(refunds, request, dueIdsOf(refunds).length);
  return duplicate ? { outcome: 'duplicate', again: decision.outcome, ...duplicate } : decision;
}

function decideExtent(
  left: number,
  dueIds: string[],
  request: RefundRequest,
): Exclude<RefundDecision, { outcome: 'duplicate' }> {
  if (request.extent === 'onlyDue') {
    if (dueIds.length > 0) return { outcome: 'refund', dueIds, amount: 0 };
    return left > 0 ? { outcome: 'nothing_due', left } : { outcome: 'nothing' };
  }
  const amount = request.extent === 'all' ? left : request.amount;
  if (left === 0 && dueIds.length === 0) return { outcome: 'nothing' };
  if (amount > left) return { outcome: 'too_high', left };
  return { outcome: 'refund', dueIds, amount };
}

/**
 * The refund of the first identical request in the window. Failed refunds do not count. `all` and
 * `onlyDue` are no duplicates while a refund is due: each due refund is paid once, so the request
 * pays something new.
 */
function findDuplicate(
  refunds: readonly RequestedRefund[],
  request: RefundRequest,
  dueCount: number,
): Duplicate | undefined {
  if (request.extent !== 'amount' && dueCount > 0) return undefined;
  for (const refund of refunds) {
    const { id, state, cause, requestId, requestedExtent, requestedAt, requestedAgoMs } = refund;
    const isRecent = requestedAgoMs !== null && requestedAgoMs < timeouts.duplicateRefundMs;
    const isPaid = state === 'pending' || state === 'done';
    if (!isRecent || !isPaid || requestedAt === null || requestedExtent !== request.extent) {
      continue;
    }
    // Due refunds are paid in addition to the amount and are not part of it.
    const parts = refunds.filter(
      (each) => each.cause === 'operator' && each.requestId === requestId,
    );
    const amount = sumOf(parts.map((part) => part.amount));
    const isSameAmount =
      request.extent !== 'amount' || (cause === 'operator' && amount === request.amount);
    if (isSameAmount) return { refundId: id, requestedAt };
  }
  return undefined;
}

/** Every operator refund pays them, too. */
export const dueIdsOf = (refunds: readonly ExistingRefund[]): string[] =>
  refunds.filter(({ state }) => state === 'due').map(({ id }) => id);

/** An order with its money. */
export interface PaidOrder extends PaidMoney {
  status: string;
}

/**
 * What is left of the payments of an order, without refunds that are due or on their way, and without
 * what the buyer has got by lost disputes.
 */
export const leftOf = (order: PaidOrder, refunds: readonly ExistingRefund[]): number =>
  order.status === 'paid' ? sumOf(leftOfEach(order, refunds).map(({ amount }) => amount)) : 0;

export type EndDecision =
  | { outcome: 'open' }
  /**
   * With `keepsRegistrations` what the order created is not cancelled, because a refund kept it.
   */
  | { outcome: 'ended'; keepsRegistrations: boolean };

/**
 * Decides whether the refunds of an order end it: all its payments are refunded. Refunds of
 * registrations, or of units of add-ons that were cancelled, end it only with its last registration,
 * unless another refund paid all the rest, or was made at the provider. What a lost dispute has
 * returned needs no refund, but ends no order alone.
 */
export function decideEnd(
  order: PaidOrder & {
    lines: readonly {
      seatCount: number;
      registrationIds: readonly string[];
      unfulfilledRegistrationIds: readonly string[];
    }[];
  },
  refunds: readonly ExistingRefund[],
): EndDecision {
  const revoked: EndDecision = { outcome: 'ended', keepsRegistrations: false };
  if (order.status === 'refund_due') {
    const isComplete = refunds.every(({ state }) => state === 'done' || state === 'withdrawn');
    return isComplete ? revoked : { outcome: 'open' };
  }
  const { payments, disputes = [] } = order;
  const isOf = (id: string) => (refund: ExistingRefund) => refund.settlementId === id;
  const done = payments.flatMap(({ id }) =>
    refunds.filter(isOf(id)).filter(({ state }) => state === 'done'),
  );
  const isRefunded = payments.every(
    (payment) =>
      sumOf(done.filter(isOf(payment.id)).map(({ amount }) => amount)) >=
      remainsOf(payment, disputes),
  );
  if (order.status !== 'paid' || done.length === 0 || !isRefunded) return { outcome: 'open' };
  const ofSeats = done.filter(({ registrationIds }) => registrationIds.length > 0);
  const hasAmount = done.some(
    ({ registrationIds, cause }) => registrationIds.length === 0 && cause !== refundPolicyCause,
  );
  // The first two pay all the rest of the order. One at the provider names no seat, so that no seat
  // has to be named when the whole payment is back.
  const isAll = done.some(
    ({ requestedExtent, cause }) =>
      requestedExtent === 'all' || cause === eventCancelledCause || cause === atProviderCause,
  );
  if (isAll || (ofSeats.length === 0 && hasAmount)) return revoked;
  const refunded = ofSeats.flatMap(({ registrationIds }) => registrationIds);
  const isWhole = order.lines.every(
    ({ seatCount, registrationIds, unfulfilledRegistrationIds }) =>
      seatCount === 0 ||
      registrationIds.every(
        (id) => refunded.includes(id) || unfulfilledRegistrationIds.includes(id),
      ),
  );
  if (!isWhole) return { outcome: 'open' };
  return { outcome: 'ended', keepsRegistrations: refunded.some((id) => isRetained(ofSeats, id)) };
}

/** Whether the price of a registration was refunded and the registration stays. */
export const isRetained = (refunds: readonly ExistingRefund[], id: string): boolean => {
  const ofSeat = refunds.filter(({ registrationIds }) => registrationIds.includes(id));
  return ofSeat.length > 0 && ofSeat.every(({ revokesSeats }) => !revokesSeats);
};
