import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { OrderStatus } from '@event-api/contracts/http/orders';
import {
  alreadyExists,
  invalidArgument,
  preconditionFailed,
} from '@event-api/platform/core/errors';

/** 412: nothing new can be sold in an archived event. */
export const eventArchived = () => preconditionFailed('EVENT_ARCHIVED');

/** 412: an item of the order is not on sale. `message` says which one and why, `field` is its line. */
export const notOnSale = (message: string, field: string) =>
  preconditionFailed('NOT_ON_SALE', { field }, message);

/** 412: a ticket type has fewer seats left than the order needs. */
export const soldOut = (message: string, details: { field: string; seatsLeft: number }) =>
  preconditionFailed('SOLD_OUT', details, message);

/** 412: a code that a lookup does not find. The response does not say what is wrong with it. */
export const codeInvalid = () => preconditionFailed('CODE_INVALID', { field: 'redemptionCode' });

/** 412: a valid code with fewer uses left than the order needs. */
export const codeUsesExceeded = (message: string, usesLeft: number) =>
  preconditionFailed('CODE_USES_EXCEEDED', { field: 'redemptionCode', usesLeft }, message);

/** 412: the buyer already has as many open orders as the event allows. */
export const tooManyHolds = (message: string, limit: number) =>
  preconditionFailed('TOO_MANY_HOLDS', { field: 'email', limit }, message);

/** 412: the buyer would have more seats than the event allows. */
export const tooManySeats = (message: string, details: { limit: number; seatsLeft: number }) =>
  preconditionFailed('TOO_MANY_SEATS', { field: 'email', ...details }, message);

/** 400: a valid code that applies to no seat of the order. */
export const codeNotApplicable = () =>
  invalidArgument([
    {
      field: 'redemptionCode',
      issue: 'does not apply to any item in this order',
      code: 'invalid_value',
    },
  ]);

/** 412: somebody who is named for a seat is in the event already; the details name the field, too. */
export const attendeeRegistered = (field: string) =>
  preconditionFailed('ATTENDEE_REGISTERED', { field });

/** 412: add-ons alone require a buyer who is registered. */
export const notRegistered = () => preconditionFailed('NOT_REGISTERED', { field: 'email' });

const closedPhrases: Record<OrderStatus, string> = {
  held: 'is being closed',
  awaiting_payment: 'is being closed',
  paid: 'is paid',
  cancelled: 'is cancelled',
  expired: 'has expired',
  refund_due: 'is due for a refund',
  refunded: 'is refunded',
};

/** 412: the order is closed, or is being closed. `status` is the one that reads show. */
export function orderClosed(status: OrderStatus) {
  const message = `The order ${closedPhrases[status]} and cannot be confirmed.`;
  return preconditionFailed('ORDER_CLOSED', { status }, message);
}

/** 412: what is paid cannot be cancelled. */
export const alreadyPaid = () => preconditionFailed('ALREADY_PAID');

/** 412: the provider does not take this amount or currency. */
export const paymentUnavailable = () => preconditionFailed('PAYMENT_UNAVAILABLE');

/** 412: nothing is left that could be given back. */
export const nothingToRefund = () => preconditionFailed('NOTHING_TO_REFUND');

/** 412: no refund of the order is due; `refundable` is what `amount` or `all` can refund. */
export const nothingDue = (refundable: number, currency: string) =>
  preconditionFailed(
    'NOTHING_TO_REFUND',
    { refundable, currency },
    `No refund of the order is due. ${refundable} ${currency} (in the minor unit) can be refunded with amount or all.`,
  );

/** 400: more than what is left of the payment. */
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

/** 409: the same refund was requested a few minutes ago. */
export const duplicateRefund = (refundId: string, requestedAt: Date) =>
  alreadyExists(
    `An identical refund, ${refundId}, was requested at ${requestedAt.toISOString()}. To refund again, send force: true`,
    { refundId, requestedAt: requestedAt.toISOString() },
  );

/** 400, field by field. */
export const malformed = (issues: readonly FieldIssue[]) => invalidArgument(issues);
