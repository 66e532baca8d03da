import { placeOrder } from '@event-api/contracts/http/orders';
import type { Operation } from '@event-api/contracts/operation';
import { createExhibitor } from '@event-api/contracts/operator/exhibitors';
import { createSession, createSpeaker, createVenue } from '@event-api/contracts/operator/program';
import { z } from 'zod';
import { smallestBody } from './bodies.ts';
import type { RawClient } from './raw-client.ts';

/** Makes one record by asking its collection for it, and answers the record's id. */
type Maker = (
  ask: RawClient,
  collection: string,
  records: Records,
  operate: Operate,
) => Promise<string>;

/** Runs an operator's command on the unit of the client. */
export type Operate = (command: Operation, input: object) => Promise<unknown>;

const eventPattern = '/v1/events/:eventId';
const ticketTypePattern = '/v1/events/:eventId/ticket-types/:typeId';

/** Somebody beside the one of the path, whom doors let in. */
const confirmed = 'a confirmed registration';

/** A redemption code that every made event has. */
const code = 'FRIENDS-10';

/** How to make a record of each kind that a path can name, and the prefix of its ids. */
const kinds: Record<string, { prefix: string; make: Maker }> = {
  [eventPattern]: {
    prefix: 'evt',
    make: posted({ name: 'Summit', timezone: 'Europe/Berlin', startsAt: '2027-05-10T07:00:00Z' }),
  },
  [ticketTypePattern]: { prefix: 'tt', make: onSale({ name: 'Standard', requiresApproval: true }) },
  '/v1/events/:eventId/registrations/:id': {
    prefix: 'reg',
    make: ofTicketType({ email: 'grace@example.com' }, (body) => body.registration.id),
  },
  '/v1/events/:eventId/redemption-codes/:codeId': {
    prefix: 'code',
    make: ofTicketType({ code }, (body) => body.redemptionCodes[0].id),
  },
  '/v1/events/:eventId/addons/:id': { prefix: 'addon', make: posted({ name: 'Workshop' }) },
  '/v1/events/:eventId/bundles/:id': { prefix: 'bdl', make: posted({ name: 'Everything' }) },
  '/v1/events/:eventId/orders/:orderId': { prefix: 'ord', make: ordered },
  '/v1/events/:eventId/orders/:orderNumber': { prefix: 'ord', make: ordered },
  '/v1/events/:eventId/checkins/:id': { prefix: 'chk', make: checkedIn },
  '/v1/events/:eventId/attendees/:id': {
    prefix: 'att',
    make: async (ask, _collection, records) =>
      (await registered(ask, records, 'edith@example.com')).attendeeId,
  },
  '/v1/events/:eventId/sessions/:id': {
    prefix: 'ses',
    make: commanded(createSession, {
      title: 'Keynote',
      startsAt: '2027-05-10T08:00:00Z',
      endsAt: '2027-05-10T09:00:00Z',
    }),
  },
  '/v1/events/:eventId/speakers/:id': {
    prefix: 'spk',
    make: commanded(createSpeaker, { name: 'Grace Hopper' }),
  },
  '/v1/events/:eventId/venues/:id': {
    prefix: 'ven',
    make: commanded(createVenue, { name: 'Hall' }),
  },
  '/v1/events/:eventId/exhibitors/:exhibitorId': {
    prefix: 'exh',
    make: commanded(createExhibitor, { name: 'Engines' }),
  },
};

/** Creates a record by an operator's command on the event. */
function commanded(command: Operation, fields: object): Maker {
  return async (_ask, _collection, records, operate) => {
    const input = { eventId: records[eventPattern], ...fields };
    return ((await operate(command, input)) as { id: string }).id;
  };
}

async function checkedIn(ask: RawClient, path: string, records: Records): Promise<string> {
  const { id } = await registered(ask, records, 'dora@example.com');
  await ask({ method: 'POST', path: `${fill(eventPattern, records)}/registrations/${id}/approve` });
  return (await post(ask, path, { registrationId: id, subjectType: 'event' })).checkin.id;
}

/** Registers a person for the ticket type. */
async function registered(
  ask: RawClient,
  records: Records,
  email: string,
): Promise<{ id: string; attendeeId: string }> {
  const body = { email, registrationTypeId: records[ticketTypePattern] };
  return (await post(ask, `${fill(eventPattern, records)}/registrations`, body)).registration;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into, whatever its shape.
async function post(ask: RawClient, path: string, body: object): Promise<any> {
  const answer = await ask({ method: 'POST', path, body: JSON.stringify(body) });
  if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.body}`);
  return JSON.parse(answer.body);
}

function posted(body: object): Maker {
  return async (ask, path) => (await post(ask, path, body)).id;
}

function onSale(body: object): Maker {
  return async (ask, path) => {
    const { id } = await post(ask, path, body);
    await ask({ method: 'PATCH', path: `${path}/${id}`, body: '{"status":"open"}' });
    return id;
  };
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into, whatever its shape.
function ofTicketType(body: object, idOf: (answer: any) => string): Maker {
  return async (ask, path, records) =>
    idOf(await post(ask, path, { ...body, registrationTypeId: records[ticketTypePattern] }));
}

/** One place of the ticket type, for nothing. */
const orderItems = (records: Records) => [
  { itemType: 'registration_type', itemId: records[ticketTypePattern] },
];

async function ordered(ask: RawClient, path: string, records: Records): Promise<string> {
  const body = { email: 'olga@example.com', items: orderItems(records) };
  return (await post(ask, path, body)).id;
}

/** One record of each kind, all of one event, by the pattern of its path. */
export type Records = Record<string, string>;

/** The patterns that end in an id on the way through a path: `/v1/a/:x` and `/v1/a/:x/b/:y` of `/v1/a/:x/b/:y/c`. */
export function patternsOf({ url }: Pick<Operation, 'url'>): string[] {
  const segments = url.split('/');
  return segments.flatMap((segment, index) =>
    segment.startsWith(':') ? [segments.slice(0, index + 1).join('/')] : [],
  );
}

/**
 * Makes an event, a ticket type, somebody who has one, and a record of each other kind that these operations name in
 * their paths. Errors: for a path that names an unknown kind.
 */
export async function makeRecords(
  operations: readonly Operation[],
  ask: RawClient,
  operate: Operate,
): Promise<Records> {
  const records: Records = {};
  const patterns = [eventPattern, ticketTypePattern, ...operations.flatMap(patternsOf)];
  for (const pattern of new Set(patterns)) {
    const collection = fill(pattern.slice(0, pattern.lastIndexOf('/')), records);
    records[pattern] = await kindOf(pattern).make(ask, collection, records, operate);
  }
  const { id } = await registered(ask, records, 'mary@example.com');
  await ask({ method: 'POST', path: `${fill(eventPattern, records)}/registrations/${id}/approve` });
  return { ...records, [confirmed]: id };
}

/** The path of an operation on these records. */
export const pathOf = ({ url }: Pick<Operation, 'url'>, records: Records): string =>
  fill(url, records);

/** The query without which an operation finds nothing. */
export const queryOf = ({ url }: Pick<Operation, 'url'>): string =>
  url.endsWith('/lookup') ? `?code=${code}` : '';

/** The smallest body of an operation, about these records: with a ticket type or a person where one can be named. */
export function bodyFor(operation: Operation, records: Records): unknown {
  const { body } = operation.schema;
  if (operation === placeOrder) {
    return { ...(smallestBody(operation) as object), items: orderItems(records) };
  }
  const fields = body instanceof z.ZodObject ? body.shape : {};
  const named = {
    ...('registrationTypeId' in fields && { registrationTypeId: records[ticketTypePattern] }),
    ...('registrationId' in fields && { registrationId: records[confirmed] }),
  };
  const smallest = smallestBody(operation);
  return Object.keys(named).length > 0 ? { ...(smallest as object), ...named } : smallest;
}

function fill(url: string, records: Records): string {
  const ids = patternsOf({ url }).map((pattern) => records[pattern] ?? '');
  return url.replace(/:\w+/g, () => ids.shift() ?? '');
}

/** An id of the right shape that no record has. */
export const nonexistentId = (pattern: string): string =>
  `${kindOf(pattern).prefix}_01k8zq4m3ne7rbj5t2xw9vd6ah`;

/** Tells of a path without a record, so that no route goes untested. */
export function kindOf(pattern: string): { prefix: string; make: Maker } {
  const kind = kinds[pattern];
  if (kind) return kind;
  throw new Error(`no test record for ${pattern}: say in e2e/records.ts how to make one`);
}
