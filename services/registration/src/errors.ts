import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { SaleBlock } from '@event-api/contracts/internal/reservations';
import {
  alreadyExists,
  invalidArgument,
  preconditionFailed,
} from '@event-api/platform/core/errors';

/** 412: nothing new can be created in an archived event. */
export const eventArchived = () => preconditionFailed('EVENT_ARCHIVED');

/** 412: no redemption code can be created for an archived ticket type. */
export const ticketTypeArchived = () => preconditionFailed('TICKET_TYPE_ARCHIVED');

/** A reason that applies outside orders, too. */
type TypeSaleBlock = Exclude<SaleBlock, 'requires_approval'>;

const saleBlockMessages: Record<TypeSaleBlock, string> = {
  draft: 'The ticket type is a draft. It is not on sale until it is opened.',
  closed: 'The ticket type is closed.',
  archived: 'The ticket type is archived.',
  not_open_yet: 'The sale of the ticket type has not started.',
  sale_ended: 'The sale of the ticket type has ended.',
};

/** 412: the ticket type is not open, or the time is outside its sale window. */
export const notOnSale = (block: TypeSaleBlock) =>
  preconditionFailed('NOT_ON_SALE', { field: 'registrationTypeId' }, saleBlockMessages[block]);

/** 412: no seat is left and the ticket type has no waitlist. */
export const soldOut = () =>
  preconditionFailed('SOLD_OUT', {}, 'The ticket type has no seats left and no waitlist.');

/** 412: no seat of the other ticket type is available for a registration that is changed. */
export const typeFull = () =>
  preconditionFailed(
    'SOLD_OUT',
    { field: 'registrationTypeId' },
    'The ticket type has no seats left, and the registration cannot join a waitlist there.',
  );

/** 412: the code is unknown, disabled, expired or used up. The response does not say which. */
export const codeInvalid = () => preconditionFailed('CODE_INVALID', { field: 'redemptionCode' });

/** 412: approve and reject take a pending registration only. */
export const notPending = () => preconditionFailed('NOT_PENDING');

/** 412: only a confirmed registration has a badge. */
export const noBadge = (registrationStatus: RegistrationStatus) =>
  preconditionFailed(
    'NOT_CONFIRMED',
    { registrationStatus },
    `The registration is ${registrationStatus}. Only a confirmed one has a badge.`,
  );

/** 412: the platform signs no wallet passes. */
export const walletUnavailable = () => preconditionFailed('WALLET_UNAVAILABLE');

/** 412: there is no badge to print. */
export const noBadges = () =>
  preconditionFailed('NOT_CONFIRMED', {}, 'None of these registrations is confirmed.');

/** 412: the registration is cancelled or rejected. */
export const registrationClosed = () => preconditionFailed('REGISTRATION_CLOSED');

/** 412: another caller has changed a field that the request expects to be as it was. */
export const registrationChanged = (field: string) =>
  preconditionFailed('REGISTRATION_CHANGED', { field: `expected.${field}` });

/** 412: the email of a transfer is already registered in the event. */
export const attendeeRegistered = () =>
  preconditionFailed('ATTENDEE_REGISTERED', { field: 'email' });

/** 412: an order has reserved the seat that is offered to the registration. */
export const offerTaken = () => preconditionFailed('OFFER_TAKEN');

/** 412: the other ticket type costs more than what was paid. */
export const priceHigher = () =>
  preconditionFailed('PRICE_HIGHER', { field: 'registrationTypeId' });

/** 400: the event has ticket types and the request contains none. */
export const ticketTypeRequired = () =>
  invalidArgument([{ field: 'registrationTypeId', issue: 'is required', code: 'required' }]);

/** 400: the responses do not fit the form of the event. */
export const invalidResponses = (issues: readonly FieldIssue[]) => invalidArgument(issues);

/** 412: the code is valid, but for another ticket type. */
export const codeNotApplicable = () =>
  preconditionFailed(
    'CODE_INVALID',
    { field: 'redemptionCode' },
    'The redemption code does not apply to this ticket type.',
  );

/** 400: a new code would already be expired. */
export const expiryInPast = () =>
  invalidArgument([{ field: 'expiresAt', issue: 'must be in the future', code: 'invalid_value' }]);

/** 409: the event already has this code, in any case of its letters. */
export const codeExists = () =>
  alreadyExists('The redemption code already exists in the event', {
    field: 'code',
    issue: 'already exists in the event',
    code: 'already_exists',
  });
