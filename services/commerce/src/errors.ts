import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { OrderStatus, SeatStatus } from '@event-api/contracts/http/orders';
import {
  alreadyExists,
  invalidArgument,
  preconditionFailed,
  unauthenticated,
} from '@event-api/platform/core/errors';

/** 412: the event is archived and sells nothing. */
export const eventArchived = () => preconditionFailed('EVENT_ARCHIVED');

/**
 * 412: an item of the order is not on sale. `message` names the item and the reason, `field` its
 * line.
 */
export const notOnSale = (message: string, field: string) =>
  preconditionFailed('NOT_ON_SALE', { field }, message);

/** 412: a ticket type with a price requires approval. `field` is its line. */
export const needsApproval = (message: string, field: string) =>
  preconditionFailed('APPROVAL_REQUIRED', { field }, message);

/**
 * 412: a ticket type without a price requires approval and is in an order that costs something.
 * `field` is its line.
 */
export const approvalNeedsFreeOrder = (message: string, field: string) =>
  preconditionFailed('APPROVAL_NEEDS_FREE_ORDER', { field }, message);

/** 412: a ticket type has fewer seats left than the order needs. */
export const soldOut = (message: string, details: { field: string; seatsLeft: number }) =>
  preconditionFailed('SOLD_OUT', details, message);

/** 412: an add-on has fewer units left than the order needs. */
export const unitsSoldOut = (message: string, details: { field: string; unitsLeft: number }) =>
  preconditionFailed('SOLD_OUT', details, message);

/** 412: the order has fewer units of an item than one order must have. */
export const orderTooSmall = (message: string, details: { field: string; limit: number }) =>
  preconditionFailed('BELOW_ORDER_MINIMUM', details, message);

/** 412: the order has more units of an item than one order may have. */
export const orderTooLarge = (message: string, details: { field: string; limit: number }) =>
  preconditionFailed('ABOVE_ORDER_MAXIMUM', details, message);

interface ChangedLimit {
  ticketTypeId: string;
  limit: number;
  /** How many seats of the ticket type the order would have. */
  requested: number;
}

/** 412: a change would leave the order fewer seats of a ticket type than one order must have. */
export const changeTooSmall = ({ ticketTypeId, limit, requested }: ChangedLimit) =>
  preconditionFailed(
    'BELOW_ORDER_MINIMUM',
    { field: 'quoteId', ticketTypeId, limit },
    `The order would have ${requested} seats of the ticket type ${ticketTypeId}, and must have at least ${limit}. Nothing has happened.`,
  );

/** 412: a change would give the order more seats of a ticket type than one order may have. */
export const changeTooLarge = ({ ticketTypeId, limit, requested }: ChangedLimit) =>
  preconditionFailed(
    'ABOVE_ORDER_MAXIMUM',
    { field: 'quoteId', ticketTypeId, limit },
    `The order would have ${requested} seats of the ticket type ${ticketTypeId}, and may have at most ${limit}. Nothing has happened.`,
  );

/** 412: no valid code matches. The response does not say why. */
export const codeInvalid = () => preconditionFailed('CODE_INVALID', { field: 'redemptionCode' });

/** 412: a valid code with fewer uses left than the order needs. */
export const codeUsesExceeded = (message: string, usesLeft: number) =>
  preconditionFailed('CODE_USES_EXCEEDED', { field: 'redemptionCode', usesLeft }, message);

/** 412: the buyer has reached the limit of open orders in the event. */
export const tooManyHolds = (message: string, limit: number) =>
  preconditionFailed('TOO_MANY_HOLDS', { field: 'email', limit }, message);

/** 412: the order would exceed the number of seats per buyer in the event. */
export const tooManySeats = (message: string, details: { limit: number; seatsLeft: number }) =>
  preconditionFailed('TOO_MANY_SEATS', { field: 'email', ...details }, message);

/** 412: a valid code that applies to no seat of the order. */
export const codeNotApplicable = () =>
  preconditionFailed(
    'CODE_INVALID',
    { field: 'redemptionCode' },
    'The redemption code does not apply to any item in this order.',
  );

const seatPhrases: Record<SeatStatus, string> = {
  open: 'is not paid yet. Assign it once its order is paid.',
  assigned: 'has an attendee already.',
  cancelled: 'is cancelled.',
};

/** 412: the seat cannot be assigned: one that is `open` belongs to an order that is not paid. */
export const seatNotOpen = (status: SeatStatus) =>
  preconditionFailed('SEAT_NOT_OPEN', { status }, `The seat ${seatPhrases[status]}`);

/** 412: the order has no open seat for a claim link. */
export const noSeatOpen = () =>
  preconditionFailed('SEAT_NOT_OPEN', {}, 'The order has no open seat.');

/** 401: the token of a claim link is unknown or revoked. */
export const claimUnknown = () => unauthenticated('A valid claim token is required');

/** 412: the event has ended: its orders do not change and its open seats are not assigned any more. */
export const eventEnded = () => preconditionFailed('EVENT_ENDED');

/** 412: an attendee is already registered in the event. The details contain the field. */
export const attendeeRegistered = (field: string) =>
  preconditionFailed('ATTENDEE_REGISTERED', { field });

/** 412: the event is cancelled: nothing of it can be paid, changed or assigned. */
export const eventCancelled = () => preconditionFailed('EVENT_CANCELLED');

/**
 * 412: an order of add-ons only requires a registered buyer, and a named recipient of an add-on
 * must be registered or an attendee of the order.
 */
export function notRegistered(field: string) {
  const message =
    field === 'email'
      ? 'An order of add-ons alone requires a buyer who is registered for the event.'
      : 'An add-on can only be for an attendee of the order or a person who is registered for the event.';
  return preconditionFailed('NOT_REGISTERED', { field }, message);
}

/** 412: an order has taken the offer of a registration that was cancelled since. */
export const offerEnded = (field: string) =>
  preconditionFailed(
    'NOT_REGISTERED',
    { field },
    'The registration that this seat was offered to is cancelled, so the order cannot be paid.',
  );

const closedPhrases: Record<OrderStatus, string> = {
  held: 'is being closed',
  awaiting_payment: 'is being closed',
  paid: 'is paid',
  cancelled: 'is cancelled',
  expired: 'has expired',
  refund_due: 'is due for a refund',
  refunded: 'is refunded',
};

/**
 * 412: the order is closed or is being closed. `status` is the effective status, as reads return
 * it.
 */
export function orderClosed(status: OrderStatus) {
  const message = `The order ${closedPhrases[status]} and cannot be confirmed.`;
  return preconditionFailed('ORDER_CLOSED', { status }, message);
}

/** 412: the billing of an order that is paid, closed or being closed cannot change. */
export function orderNotBillable(status: OrderStatus) {
  const message = `The order ${closedPhrases[status]}, so its billing cannot change.`;
  return preconditionFailed('ORDER_CLOSED', { status }, message);
}

/** 412: with another billing, reverse charge would begin or end. */
export const taxWouldChange = () => preconditionFailed('TAX_WOULD_CHANGE', { field: 'billing' });

/** 412: an order with a payment cannot be cancelled. */
export const alreadyPaid = () => preconditionFailed('ALREADY_PAID');

/** 412: an order that is not paid cannot be changed. `status` is the effective status. */
export function orderNotPaid(status: OrderStatus) {
  const rest =
    status === 'held' || status === 'awaiting_payment'
      ? 'is not paid yet. Cancel it, or change it once it is paid.'
      : `${closedPhrases[status]} and cannot be changed any more.`;
  return preconditionFailed('ORDER_NOT_PAID', { status }, `The order ${rest}`);
}

/** 412: a refund or a change of the order is on its way, or its seats are being restored. */
export const orderBusy = () => preconditionFailed('ORDER_BUSY');

/** 412: a seat of the order is cancelled already. */
export const seatCancelled = (seatId: string, field: string) =>
  preconditionFailed(
    'SEAT_CANCELLED',
    { field, seatId },
    `The seat ${seatId} is cancelled already. Leave it out.`,
  );

/** 412: a ticket type costs more than what was paid for the seat that would get it. */
export const priceHigher = (seatId: string, field: string) =>
  preconditionFailed(
    'PRICE_HIGHER',
    { field, seatId },
    `The ticket type costs more than what was paid for the seat ${seatId}.`,
  );

/** 412: the new ticket type of a seat is not on sale. */
export const typeNotOnSale = (details: { seatId: string; ticketTypeId: string; block: string }) =>
  preconditionFailed(
    'NOT_ON_SALE',
    { field: 'quoteId', ...details },
    `The new ticket type of the seat ${details.seatId} is not on sale, or requires approval. Nothing has happened.`,
  );

/** 412: the new ticket type of a seat has no seat left. */
export const typeSoldOut = (details: { seatId: string; ticketTypeId: string }) =>
  preconditionFailed(
    'SOLD_OUT',
    { field: 'quoteId', ...details },
    `No seat is left of the new ticket type of the seat ${details.seatId}. Nothing has happened.`,
  );

/** 412: the quote has expired, or another amount is quoted now. */
export const quoteExpired = () => preconditionFailed('QUOTE_EXPIRED');

/** 412: the payment provider does not accept this amount or currency. */
export const paymentUnavailable = () => preconditionFailed('PAYMENT_UNAVAILABLE');

/** 412: the unit needs an account of its own before it sells anything that costs something. */
export const paymentAccountMissing = () => preconditionFailed('PAYMENT_ACCOUNT_MISSING');

/** 412: the key of a unit's own account is not stored. */
export const paymentAccountRefused = (message: string) =>
  preconditionFailed('PAYMENT_ACCOUNT_REFUSED', {}, message);

/** 412: nothing can be refunded. A free order is cancelled instead. */
export const nothingToRefund = ({ isFree }: { isFree: boolean }) =>
  isFree
    ? preconditionFailed('NOTHING_TO_REFUND', {}, 'The order is free. Cancel it instead.')
    : preconditionFailed('NOTHING_TO_REFUND');

/** 412: no refund of the order is due. `refundable` is what `amount` or `all` can refund. */
export const nothingDue = (refundable: number, currency: string) =>
  preconditionFailed(
    'NOTHING_TO_REFUND',
    { refundable, currency },
    `No refund of the order is due. ${refundable} ${currency} (in the minor unit) can be refunded with amount or all.`,
  );

/** 412: an open dispute holds the money. `free` is what a refund can pay meanwhile. */
export const paymentDisputed = (
  { disputed, free }: { disputed: number; free: number },
  currency: string,
) =>
  preconditionFailed(
    'PAYMENT_DISPUTED',
    { disputedAmount: disputed, refundable: free, currency },
    `The buyer disputes ${disputed} ${currency} (in the minor unit) of the payment. ${free} can be refunded until that is decided.`,
  );

/** 400: the amount exceeds the rest of the payment. */
export const refundTooHigh = (left: number) =>
  invalidArgument([
    {
      field: 'amount',
      issue:
        left === 0
          ? 'exceeds what can be refunded on top of what is due, which is 0: send onlyDue'
          : `must be at most ${left}`,
      code: 'too_big',
    },
  ]);

/** What to do about a duplicate, by what the same request would do with `force`. */
const adviceOnDuplicate = {
  refund: 'To refund again, send force: true.',
  nothing: 'Nothing is left to refund.',
  nothing_due: 'Nothing else is due.',
  too_high: 'The order has less than this amount left to refund.',
};

/** 409: an identical refund was requested a few minutes ago. */
export function duplicateRefund(duplicate: {
  refundId: string;
  requestedAt: Date;
  again: keyof typeof adviceOnDuplicate;
}) {
  const { refundId, again } = duplicate;
  const requestedAt = duplicate.requestedAt.toISOString();
  const message = `An identical refund, ${refundId}, was requested at ${requestedAt}. ${adviceOnDuplicate[again]}`;
  return alreadyExists(message, { refundId, requestedAt });
}

/** 409: the prices of these registrations are refunded already. */
export const seatsRefunded = (refundId: string) =>
  alreadyExists(`Nothing is left to refund for these registrations: ${refundId} pays it back.`, {
    refundId,
  });

/** 400: registrations that are not of the order. `indexes` are those in the request. */
export const unknownSeats = (indexes: readonly number[]) =>
  invalidArgument(
    indexes.map((index) => ({
      field: `registrationIds[${index}]`,
      issue: 'must be a registration that this order has created',
      code: 'not_found',
    })),
  );

/** 400 with one issue per field. */
export const malformed = (issues: readonly FieldIssue[]) => invalidArgument(issues);
