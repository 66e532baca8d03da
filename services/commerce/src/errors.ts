import type { FieldIssue } from '@event-api/contracts/http/envelope';
import { invalidArgument, preconditionFailed } from '@event-api/platform/errors';

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

/** 400: more than what is left of what was paid. */
export const refundTooHigh = (left: number) =>
  invalidArgument([{ field: 'amount', issue: `must be at most ${left}`, code: 'too_big' }]);

/** 400, field by field. */
export const malformed = (issues: readonly FieldIssue[]) => invalidArgument(issues);
