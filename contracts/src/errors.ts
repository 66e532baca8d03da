/** The stable code (`error.status`) of each HTTP status. */
export const statusWords = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'REQUEST_TIMEOUT',
  409: 'ALREADY_EXISTS',
  412: 'FAILED_PRECONDITION',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  417: 'EXPECTATION_FAILED',
  429: 'RESOURCE_EXHAUSTED',
  431: 'HEADERS_TOO_LARGE',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
} as const;

/** The code of a 409 that allows a retry, as opposed to a record that already exists. */
export const ABORTED = 'ABORTED';

export type ErrorCode = keyof typeof statusWords;

/**
 * The meaning of each status in the reference. The text of a 409 and a 504 depends on the
 * operation.
 */
export const statusMeanings: Record<Exclude<ErrorCode, 409 | 504>, string> = {
  400: 'The path, query, a header or the body is malformed, or a status cannot change like this. `details` lists each field.',
  401: 'No valid API key. The response is the same for a missing, unknown, revoked and expired key.',
  403: 'The credential does not have the permission for the operation: the groups of a restricted key, or the doors of a device, do not contain it. An unrestricted key has every permission.',
  404: 'The path does not exist, or the business unit of the key has no such record.',
  405: 'The path does not support the method. `Allow` lists the methods that it supports.',
  408: 'The request did not arrive in time.',
  412: 'A business rule rejects the request. `details[0].reason` is a stable code.',
  413: 'The body is larger than 1 MiB.',
  415: 'The body is not `application/json`.',
  417: 'The `Expect` header has a value other than `100-continue`.',
  429: 'The rate limit is exceeded, or too many requests wait. Retry after `Retry-After`.',
  431: 'The request headers are larger than 16 KiB.',
  500: 'An internal error. Quote the `Request-Id` when you report it.',
  503: 'A part of the platform is temporarily unavailable. Retry after `Retry-After`.',
};

/** The meaning of the two codes of a 409. */
export const conflictMeanings = {
  ALREADY_EXISTS: 'The record already exists.',
  ABORTED:
    'A request with the same `Idempotency-Key`, or another replay of the endpoint, is still running. Retry after `Retry-After`.',
} as const;

/** The meaning of a 504 for a read and for a write. */
export const timeoutMeanings = {
  read: 'A part of the platform did not respond in time. Retry the request.',
  write: 'A part of the platform did not respond in time. The request may have taken effect.',
} as const;

/**
 * The stable reasons of a 412 (`details[0].reason`), one per business rule, with the message of a
 * response that has no more specific one.
 */
export const preconditionReasons = {
  EVENT_ARCHIVED: 'The event is archived and accepts no new records or changes.',
  EVENT_CANCELLED: 'The event is cancelled.',
  EVENT_CHANGED:
    'The event has changed since the preview. Repeat `event.previewCancel`, and send its `expectedVersion`.',
  TICKET_TYPE_ARCHIVED: 'The ticket type is archived; no redemption code can be created for it.',
  NOT_ON_SALE: 'The ticket type, add-on or bundle is not on sale.',
  APPROVAL_REQUIRED:
    'The ticket type requires approval and has a price. Register the attendee; after the approval, the same order takes the seat that is offered.',
  APPROVAL_NEEDS_FREE_ORDER:
    'A ticket type without a price requires approval, so only an order without cost can include it.',
  SOLD_OUT:
    'Not enough seats or units of an add-on are left, and the request cannot join a waitlist.',
  BELOW_ORDER_MINIMUM: 'The order has fewer units of an item than its `minPerOrder`.',
  ABOVE_ORDER_MAXIMUM: 'The order has more units of an item than its `maxPerOrder`.',
  CODE_INVALID:
    'The redemption code does not exist, is disabled, has expired, has no uses left, or fits nothing in the request.',
  CODE_USES_EXCEEDED: 'The redemption code has fewer uses left than the order needs.',
  TOO_MANY_HOLDS: 'The email already has as many open orders as the event allows.',
  TOO_MANY_SEATS: 'The email would have more seats than the event allows.',
  ATTENDEE_REGISTERED: 'An attendee is already registered for the event.',
  NOT_REGISTERED:
    'The buyer of an order of add-ons alone, a person whom an add-on is for, or an attendee who was offered the seat, is not registered for the event.',
  ORDER_CLOSED:
    'The order is cancelled, expired, refunded or due for a refund, and cannot be confirmed. The billing of a paid one cannot change either.',
  TAX_WOULD_CHANGE:
    'With this billing another tax would be charged. Cancel the order, and place another one.',
  SEAT_NOT_OPEN:
    'The seat cannot be assigned: it has an attendee, it is cancelled, or its order is not paid.',
  EVENT_ENDED:
    'The event has ended: its open seats cannot be assigned and its orders cannot change any more.',
  ALREADY_PAID:
    'The order has a payment and can no longer be cancelled. An operator can refund it.',
  ORDER_NOT_PAID:
    'The order is not paid, so it cannot be changed. An order that is not paid yet can be cancelled.',
  ORDER_BUSY:
    'A refund or a change of the order, or the restoring of its seats, is not finished yet. Ask again when it is.',
  SEAT_CANCELLED: 'The seat is cancelled already. Leave it out.',
  QUOTE_EXPIRED:
    'The quote has expired, or something that it rests on has changed. Nothing has happened. Ask for a new quote.',
  PAYMENT_UNAVAILABLE: 'The payment provider does not accept this amount or currency.',
  PAYMENT_ACCOUNT_MISSING:
    'The organiser has no payment account that can be charged, so orders that cost something cannot be placed.',
  PAYMENT_ACCOUNT_REFUSED: 'The payment provider does not accept the key or the account.',
  NOTHING_TO_REFUND: 'The order has no payment left to refund.',
  PAYMENT_DISPUTED:
    'The buyer disputes the payment, and the provider holds the money until that is decided. `refundable` can be refunded meanwhile.',
  NOT_CONFIRMED: 'The registration is not confirmed, so it cannot check in and has no badge.',
  WALLET_UNAVAILABLE: 'The platform has no certificate for wallet passes.',
  BADGE_REPLACED: 'The badge was replaced when the registration was transferred.',
  GATE_CLOSED: 'The registration has none of the perks that this door requires.',
  ADMISSION_CLOSED:
    'The event or the ticket type does not admit people at this time. `admissionOpensAt` and `admissionClosesAt` are its times.',
  FORMER_BADGE_INSIDE:
    'The former badge of the ticket was let in at this door before the transfer, and the event admits no other one.',
  GATE_IN_USE:
    'Sessions rely on the gate of the venue. Send `openGates: true` to delete it anyway.',
  OFFER_TAKEN: 'An order has reserved the seat that is offered to the registration.',
  PRICE_HIGHER:
    'The ticket type costs more than what was paid for the registration or the seat, or than the present type if it has no order. This change takes no payment: one of a registration, with seats to cancel, or of a free order.',
  NOT_PENDING: 'The registration is not pending and can be neither approved nor rejected.',
  REGISTRATION_CLOSED: 'The registration is cancelled or rejected.',
  REGISTRATION_CHANGED:
    'The registration has changed in the meantime: a field has another value than `expected` says.',
  CAPACITY_GROUP_IN_USE:
    'A ticket type that is not archived belongs to the capacity group. Set its `capacityGroupId` to null or to another group first.',
  CURRENCY_LOCKED: 'The currency cannot change once the event has an order.',
  FEED_RESET:
    'A database was restored, and the feed does not have the history of this cursor. Read `head`, then all lists, then follow from that `head`.',
  CURSOR_EXPIRED:
    'The changes after this cursor are not kept. Of the change feed, which keeps 90 days: read `head`, then all lists, then follow from that `head`. Of a roster, which was rebuilt: read it without a cursor.',
  TOO_MANY_ENDPOINTS:
    'The business unit has as many webhook endpoints as it may have. Disable one that is not needed.',
  TOO_MANY_KEYS:
    'The business unit has as many API keys as it may have. Revoke one that is not needed.',
  OTHER_CELL: 'The command is for another cell than that of this deployment.',
  ENDPOINT_DISABLED: 'The webhook endpoint is disabled. Enable it first.',
  CHANGE_EXPIRED:
    'The feed does not contain these changes any more: they are older than 90 days, or a database was restored. A disabled endpoint can be enabled with `resumeFrom: now`.',
  INVITATION_ENDED: 'The invitation was accepted or revoked, or has expired. Ask for another one.',
  INVITATION_FOR_OTHER:
    'The invitation is for another email address, which the sign-in must have verified.',
  LAST_OWNER: 'The business unit would have no owner. Make another member an owner first.',
  AGENDA_RESET_UNCONFIRMED:
    'Changing the start date clears the agenda. Repeat the request with `confirmAgendaReset: true`.',
} as const;

export type PreconditionReason = keyof typeof preconditionReasons;
