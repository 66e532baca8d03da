/** What an error means to a person, by the word of the envelope or by the reason of a 412. */
export const errorText = {
  byStatus: {
    UNREACHABLE: 'The console cannot be reached. Check your connection.',
    INVALID_ARGUMENT: 'Some values are not valid.',
    UNAUTHENTICATED: 'Your session has ended. Sign in to continue.',
    PERMISSION_DENIED: 'Your role does not permit this.',
    NOT_FOUND: 'This does not exist, or it belongs to another business unit.',
    ALREADY_EXISTS: 'This exists already.',
    ABORTED: 'The same request is still running. Wait a moment and try again.',
    FAILED_PRECONDITION: 'A rule does not permit this.',
    PAYLOAD_TOO_LARGE: 'The text is too long.',
    RESOURCE_EXHAUSTED:
      'Too many requests in one minute. The page goes on by itself in a moment. What was not saved can be sent again then.',
    UNAVAILABLE: 'This part of the platform is unavailable at the moment.',
    DEADLINE_EXCEEDED:
      'The response took too long. If you changed something, it may have taken effect: look before you repeat it.',
    INTERNAL: 'Something went wrong on our side.',
  } as Record<string, string>,
  /** Reasons whose message in the response is written for integrators. */
  byReason: {
    EVENT_ARCHIVED: 'The event is archived, so nothing in it can change any more.',
    TICKET_TYPE_ARCHIVED: 'The ticket type is archived, so it cannot get new codes.',
    SOLD_OUT: 'Not enough seats or units are left.',
    BELOW_ORDER_MINIMUM: 'The order has too few of an item.',
    ABOVE_ORDER_MAXIMUM: 'The order has too many of an item.',
    NOT_PENDING: 'Only pending people can be approved or rejected.',
    NOTHING_TO_REFUND: 'Nothing is left to refund.',
    ALREADY_PAID: 'The order is paid. Refund it instead.',
    CAPACITY_GROUP_IN_USE:
      'Tickets share this capacity. Choose another one, or none, for these tickets first.',
    CURRENCY_LOCKED: 'The currency cannot change once the event has an order.',
    AGENDA_RESET_UNCONFIRMED: 'Moving the start date clears the agenda. Confirm this first.',
    LAST_OWNER: 'Each business unit needs one owner. Make another person an owner first.',
    TOO_MANY_ENDPOINTS: 'There are too many webhook endpoints. Disable one that is not needed.',
    ENDPOINT_DISABLED: 'The endpoint is disabled. Enable it first.',
    OTHER_CELL: 'The business unit belongs to another cell. Create it in the console of that cell.',
    TOO_MANY_KEYS: 'There are too many keys. Revoke one that is not needed.',
    CHANGE_EXPIRED: 'These changes are older than 90 days and cannot be sent again.',
    PRICE_HIGHER: 'That ticket type costs more. No payment is taken for a change.',
    REGISTRATION_CHANGED: 'Somebody else has changed this person. Nothing is saved yet.',
    ATTENDEE_REGISTERED: 'Somebody with this email is already registered for the event.',
    OFFER_TAKEN:
      'An order is taking the seat that was offered. Wait until it is paid or has expired.',
    REGISTRATION_CLOSED: 'The registration is cancelled or rejected.',
    GATE_CLOSED: 'The ticket does not open this door.',
    GATE_IN_USE: 'Sessions rely on the gate of this room.',
  } as Record<string, string>,
  parts: {
    catalog: 'Events, tickets and perks',
    registration: 'Registrations and codes',
    commerce: 'Orders and money',
    onsite: 'Doors, program and exhibitors',
    changes: 'Webhooks and the change feed',
    keys: 'API keys and business units',
    console: 'Team and sign-in',
  },
  unavailable: (parts: string) =>
    `${parts} cannot be reached at the moment. Everything else works.`,
  unreachable: 'The console cannot be reached. What is on the page may be out of date.',
  noPasskey: 'No passkey was added.',
  requestId: 'Request',
  copyRequestId: 'Copy the request id',
  summaryTitle: (count: number) =>
    count === 1 ? 'One field needs attention' : `${count} fields need attention`,
  pageTitle: 'This page has failed',
  pageText: 'The rest of the console works. Reload the page, or go back.',
  platformOnly: 'Only administrators of the platform can open its pages.',
  notFoundTitle: 'Page not found',
  notFoundText:
    'Nothing is at this address. It may have moved, or it belongs to another business unit.',
  reload: 'Reload the page',
  goHome: 'Go to the events',
} as const;
