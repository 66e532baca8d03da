import type { FieldIssue } from '@event-api/contracts/http/envelope';
import { alreadyExists, invalidArgument, preconditionFailed } from '@event-api/platform/errors';

/** 412: nothing new can be sold in an archived event. */
export const eventArchived = () => preconditionFailed('EVENT_ARCHIVED');

/** 412: something of the order is not for sale now, or not for money. */
export const notOnSale = () => preconditionFailed('NOT_ON_SALE');

/** 412: not all the seats can be had. */
export const soldOut = () => preconditionFailed('SOLD_OUT');

/** 412: whatever is wrong with the code, nobody is told. */
export const codeInvalid = () => preconditionFailed('CODE_INVALID');

/** 400: a good code, but for nothing in the order. */
export const codeFitsNothing = () =>
  invalidArgument([
    { field: 'redemptionCode', issue: 'is for nothing in this order', code: 'invalid_value' },
  ]);

/** 412: somebody who is named for a seat is in the event already; the details name the field, too. */
export const attendeeRegistered = (field: string) =>
  preconditionFailed('ATTENDEE_REGISTERED', { field });

/** 412: add-ons alone need a registration that they can join. */
export const notRegistered = () => preconditionFailed('NOT_REGISTERED');

/** 412: the order is cancelled, expired or refunded. */
export const orderClosed = () => preconditionFailed('ORDER_CLOSED');

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
