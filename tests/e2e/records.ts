import { placeOrder, setOrderBilling } from '@event-api/contracts/http/checkout';
import { forwardedOperations } from '@event-api/contracts/http/operations';
import { changeOrder } from '@event-api/contracts/http/order-changes';
import { getRegistrationBadge } from '@event-api/contracts/http/registrations';
import { replayChanges } from '@event-api/contracts/http/webhook-endpoints';
import type { Operation } from '@event-api/contracts/operation';
import { createExhibitor } from '@event-api/contracts/operator/exhibitors';
import { createSession, createSpeaker, createVenue } from '@event-api/contracts/operator/program';
import { eventually } from '@event-api/platform/testing/eventually';
import { fieldNamesOf, smallestBody } from './bodies.ts';
import type { RawClient } from './raw-client.ts';

/** Creates one record with a POST to its collection. Returns its id. */
type RecordFactory = (
  request: RawClient,
  collection: string,
  records: Records,
  operate: Operate,
) => Promise<string>;

/** Runs an operator command for the business unit of the client. */
export type Operate = (command: Operation, input: object) => Promise<unknown>;

const eventPattern = '/v1/events/:eventId';
const ticketTypePattern = '/v1/events/:eventId/ticket-types/:typeId';

/** The operations that an API key may call. Only devices have the others. */
export const keyOperations = forwardedOperations.filter(
  ({ config }) => config.permission !== 'device',
);

/** The key of another registration, which is confirmed and can be checked in. */
const confirmed = 'a confirmed registration';

/** A redemption code of every created event. */
const code = 'FRIENDS-10';

/** Id prefix and factory of each kind of record that a path can contain. */
const kinds: Record<string, { prefix: string; create: RecordFactory }> = {
  [eventPattern]: {
    prefix: 'evt',
    create: posted({ name: 'Summit', timezone: 'Europe/Berlin', startsAt: '2027-05-10T07:00:00Z' }),
  },
  [ticketTypePattern]: {
    prefix: 'tt',
    create: onSale({ name: 'Standard', requiresApproval: true }),
  },
  '/v1/events/:eventId/registrations/:id': {
    prefix: 'reg',
    create: ofTicketType({ email: 'grace@example.com' }, (body) => body.registration.id),
  },
  '/v1/events/:eventId/redemption-codes/:codeId': {
    prefix: 'code',
    create: ofTicketType({ code }, (body) => body.redemptionCodes[0].id),
  },
  '/v1/events/:eventId/addons/:id': { prefix: 'addon', create: posted({ name: 'Workshop' }) },
  '/v1/events/:eventId/bundles/:id': { prefix: 'bdl', create: posted({ name: 'Everything' }) },
  '/v1/events/:eventId/orders/:orderId': { prefix: 'ord', create: ordered },
  '/v1/events/:eventId/orders/:orderNumber': { prefix: 'ord', create: paidOpenOrder },
  '/v1/events/:eventId/orders/:orderNumber/seats/:seatId': {
    prefix: 'seat',
    create: async (request, path) => {
      const { body } = await request({ method: 'GET', path: path.replace(/\/seats$/, '') });
      return JSON.parse(body).seats[0].id;
    },
  },
  '/v1/events/:eventId/orders/:orderNumber/claim-links/:claimLinkId': {
    prefix: 'clm',
    create: async (request, path) => {
      const { body } = await request({ method: 'POST', path, body: '{}' });
      return JSON.parse(body).id;
    },
  },
  '/v1/events/:eventId/checkins/:id': { prefix: 'chk', create: checkedIn },
  '/v1/events/:eventId/attendees/:id': {
    prefix: 'att',
    create: async (request, _collection, records) =>
      (await registered(request, records, 'edith@example.com')).attendeeId,
  },
  '/v1/events/:eventId/sessions/:id': {
    prefix: 'ses',
    create: commanded(createSession, {
      title: 'Keynote',
      startsAt: '2027-05-10T08:00:00Z',
      endsAt: '2027-05-10T09:00:00Z',
    }),
  },
  '/v1/events/:eventId/speakers/:id': {
    prefix: 'spk',
    create: commanded(createSpeaker, { name: 'Grace Hopper' }),
  },
  '/v1/events/:eventId/venues/:id': {
    prefix: 'ven',
    create: commanded(createVenue, { name: 'Hall' }),
  },
  '/v1/events/:eventId/exhibitors/:exhibitorId': {
    prefix: 'exh',
    create: commanded(createExhibitor, { name: 'Engines' }),
  },
  '/v1/webhook-endpoints/:endpointId': {
    prefix: 'whe',
    create: async (request, path) => {
      // A replay needs a change that the feed contains.
      await request({ method: 'GET', path: '/v1/changes?limit=1&wait=5' });
      return (await post(request, path, { url: 'https://shop.example/webhooks' })).id;
    },
  },
  // The attempt to send the ping.
  '/v1/webhook-endpoints/:endpointId/deliveries/:deliveryId': {
    prefix: 'whd',
    create: (request, path) =>
      eventually(async () => {
        const { body } = await request({ method: 'GET', path });
        return JSON.parse(body).deliveries[0].id;
      }),
  },
};

/** Returns a factory that runs an operator command on the event. */
function commanded(command: Operation, fields: object): RecordFactory {
  return async (_request, _collection, records, operate) => {
    const input = { eventId: records[eventPattern], ...fields };
    return ((await operate(command, input)) as { id: string }).id;
  };
}

async function checkedIn(request: RawClient, path: string, records: Records): Promise<string> {
  const { id } = await registered(request, records, 'dora@example.com');
  await request({
    method: 'POST',
    path: `${fill(eventPattern, records)}/registrations/${id}/approve`,
  });
  return (await post(request, path, { registrationId: id, subjectType: 'event' })).checkin.id;
}

/** Registers a person for the ticket type. */
async function registered(
  request: RawClient,
  records: Records,
  email: string,
): Promise<{ id: string; attendeeId: string }> {
  const body = { email, registrationTypeId: records[ticketTypePattern] };
  return (await post(request, `${fill(eventPattern, records)}/registrations`, body)).registration;
}

// biome-ignore lint/suspicious/noExplicitAny: the tests read response bodies without a schema.
async function post(request: RawClient, path: string, body: object): Promise<any> {
  const response = await request({ method: 'POST', path, body: JSON.stringify(body) });
  if (response.status !== 201) throw new Error(`POST ${path} responded with ${response.body}`);
  return JSON.parse(response.body);
}

function posted(body: object): RecordFactory {
  return async (request, path) => (await post(request, path, body)).id;
}

function onSale(body: object): RecordFactory {
  return async (request, path) => {
    const { id } = await post(request, path, body);
    await request({ method: 'PATCH', path: `${path}/${id}`, body: '{"status":"open"}' });
    return id;
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the tests read response bodies without a schema.
function ofTicketType(body: object, idOf: (response: any) => string): RecordFactory {
  return async (request, path, records) =>
    idOf(await post(request, path, { ...body, registrationTypeId: records[ticketTypePattern] }));
}

/** One free seat of the ticket type. */
const orderItems = (records: Records) => [
  { itemType: 'registration_type', itemId: records[ticketTypePattern] },
];

/** An order of one open seat. */
async function ordered(request: RawClient, path: string, records: Records): Promise<string> {
  const body = { email: 'olga@example.com', items: orderItems(records) };
  return (await post(request, path, body)).id;
}

/** Ids of one record of each kind, all of one event, by the pattern of its path. */
export type Records = Record<string, string>;

/**
 * Returns the prefixes of a path that end in an id: `/v1/a/:x` and `/v1/a/:x/b/:y` of
 * `/v1/a/:x/b/:y/c`.
 */
export function patternsOf({ url }: Pick<Operation, 'url'>): string[] {
  const segments = url.split('/');
  return segments.flatMap((segment, index) =>
    segment.startsWith(':') ? [segments.slice(0, index + 1).join('/')] : [],
  );
}

/**
 * Creates an event, a ticket type, a registration, and a record of each other kind that these
 * operations have in their paths. Errors: a path with an unknown kind.
 */
export async function createRecords(
  operations: readonly Operation[],
  request: RawClient,
  operate: Operate,
): Promise<Records> {
  const records: Records = {};
  const patterns = [eventPattern, ticketTypePattern, ...operations.flatMap(patternsOf)];
  for (const pattern of new Set(patterns)) {
    const collection = fill(pattern.slice(0, pattern.lastIndexOf('/')), records);
    records[pattern] = await kindOf(pattern).create(request, collection, records, operate);
  }
  const { id } = await registered(request, records, 'mary@example.com');
  // Only a confirmed registration has a badge.
  const badges = operations.filter((operation) => operation === getRegistrationBadge);
  for (const path of [
    `${fill(eventPattern, records)}/registrations/${id}`,
    ...badges.map((badge) => fill(badge.url, records).replace('/badge', '')),
  ]) {
    await request({ method: 'POST', path: `${path}/approve` });
  }
  return { ...records, [confirmed]: id };
}

/** Returns the path of an operation on these records. */
export const pathOf = ({ url }: Pick<Operation, 'url'>, records: Records): string =>
  fill(url, records);

/** Returns the query that an operation requires. */
export const queryOf = ({ url }: Pick<Operation, 'url'>): string =>
  url.endsWith('/lookup') ? `?code=${code}` : '';

/**
 * Returns the smallest body of an operation, with the ids of these records where it contains any.
 */
export function bodyFor(operation: Operation, records: Records): unknown {
  if (operation === changeOrder) {
    const orderId = records['/v1/events/:eventId/orders/:orderNumber'] ?? '';
    return { dryRun: true, cancelSeats: [`${orderId.replace(/^ord/, 'seat')}_1`] };
  }
  if (operation === placeOrder) {
    return { ...(smallestBody(operation) as object), items: orderItems(records) };
  }
  // The order is paid, so that only the billing that it has is accepted.
  if (operation === setOrderBilling) return { billing: null };
  if (operation === replayChanges) return { from: 1, to: 1 };
  const fields = fieldNamesOf(operation.schema.body);
  const named = {
    ...(fields.includes('registrationTypeId') && {
      registrationTypeId: records[ticketTypePattern],
    }),
    ...(fields.includes('registrationId') && { registrationId: records[confirmed] }),
  };
  const smallest = smallestBody(operation);
  return Object.keys(named).length > 0 ? { ...(smallest as object), ...named } : smallest;
}

function fill(url: string, records: Records): string {
  const ids = patternsOf({ url }).map((pattern) => records[pattern] ?? '');
  return url.replace(/:\w+/g, () => ids.shift() ?? '');
}

/** A free order that is fulfilled: it can be confirmed again, changed and cancelled. */
/** Places an order of seats without attendees and confirms it. */
async function paidOpenOrder(request: RawClient, path: string, records: Records): Promise<string> {
  const body = { email: 'olga@example.com', items: orderItems(records), assignLater: true };
  const { id } = await post(request, path, body);
  await request({ method: 'POST', path: `${path}/${id}/confirm` });
  return id;
}

/** Returns a well-formed id without a record. */
export const nonexistentId = (pattern: string): string =>
  `${kindOf(pattern).prefix}_01k8zq4m3ne7rbj5t2xw9vd6ah`;

/**
 * Returns the factory for a pattern. Throws for a path without one, so that no route is untested.
 */
export function kindOf(pattern: string): { prefix: string; create: RecordFactory } {
  const kind = kinds[pattern];
  if (kind) return kind;
  throw new Error(`no test record for ${pattern}: add a factory to tests/e2e/records.ts`);
}
