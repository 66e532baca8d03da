import { createHash } from 'node:crypto';
import {
  approveRegistration,
  cancelRegistration,
  createCheckin,
  createEvent,
  createRegistration,
  createTicketType,
  getEvent,
  getRegistration,
  getTicketType,
  listCheckins,
  rejectRegistration,
  updateTicketType,
} from '@event-api/client';
import { z } from 'zod';
import { type Api, type Tool, writeTool } from '../tool.ts';
import { email, eventId, registrationId } from './fields.ts';
import { event, registrationState, ticketType } from './outputs.ts';

/**
 * The key with which a creation is sent. An identical call creates nothing again for 24 hours, for
 * example when an assistant has lost the result.
 */
const keyOf = (tool: string, input: object): { 'Idempotency-Key': string } => ({
  'Idempotency-Key': `mcp-${createHash('sha256')
    .update(JSON.stringify([tool, Object.entries(input).sort()]))
    .digest('base64url')}`,
});

const again = z
  .string()
  .optional()
  .describe('An identical call creates nothing again for a day, except with another text here.');

/** The registration as it is, for the description of a change. */
const present = async ({ client }: Api, path: { eventId: string; id: string }) => {
  const { id, email, name, status } = await getRegistration({ client, path });
  return { id, email, name, status };
};

/** What a check-in at the door of the event would say besides that it is made. */
async function warningsOf(
  { client }: Api,
  path: { eventId: string; id: string },
): Promise<string[]> {
  const { eventId, id: registrationId } = path;
  const query = { registrationId, subjectType: 'event' as const };
  const [registration, event, { checkins }] = await Promise.all([
    getRegistration({ client, path }),
    getEvent({ client, path }),
    listCheckins({ client, path, query }),
  ]);
  const { status, registrationTypeId: typeId } = registration;
  const type = typeId === null ? null : await getTicketType({ client, path: { eventId, typeId } });
  const [earlier] = checkins;
  const now = new Date();
  const closed = [event, type].filter((each) => each !== null && isClosed(each, now));
  return [
    ...(status === 'confirmed' ? [] : [`It will be rejected: the registration is ${status}.`]),
    ...closed.map(
      (each) =>
        `It will be rejected: admission is from ${each?.admissionOpensAt ?? 'any time'} until ${each?.admissionClosesAt ?? 'any time'}.`,
    ),
    ...(earlier
      ? [
          `Nothing will change: ${earlier.badgeReplaced ? 'the former badge of the ticket' : 'the person'} was checked in at ${earlier.checkedInAt}.`,
        ]
      : []),
    ...(event.status === 'published' ? [] : [`The event is not published: it is ${event.status}.`]),
    ...(isOnDayOf(event, now) ? [] : ['Today is not a day of the event.']),
  ];
}

const isClosed = (
  times: { admissionOpensAt: string | null; admissionClosesAt: string | null },
  now: Date,
): boolean => {
  const { admissionOpensAt: from, admissionClosesAt: until } = times;
  return (from !== null && now < new Date(from)) || (until !== null && now >= new Date(until));
};

function isOnDayOf(
  event: { startsAt: string | null; endsAt: string | null; timezone: string },
  now: Date,
): boolean {
  const { timezone: timeZone, startsAt, endsAt } = event;
  const dates = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const dateOf = (instant: string | Date) => dates.format(new Date(instant));
  const isEarly = startsAt !== null && dateOf(now) < dateOf(startsAt);
  return !isEarly && (endsAt === null || dateOf(now) <= dateOf(endsAt));
}

const nameOfEvent = async ({ client }: Api, eventId: string) =>
  (await getEvent({ client, path: { eventId } })).name;

const newEvent = z.object({
  name: z.string(),
  timezone: z.string().describe('IANA name, for example Europe/Berlin'),
  startsAt: z.string().optional().describe('ISO 8601 with an offset'),
  endsAt: z.string().optional().describe('ISO 8601 with an offset'),
  again,
});

const newType = z.object({
  eventId,
  name: z.string(),
  capacity: z.int().min(1).optional().describe('Without it there is no limit'),
  priceAmount: z.int().min(0).default(0).describe('In the minor unit of the currency'),
  open: z.boolean().default(false).describe('Whether the sale begins at once'),
  again,
});

const guest = z.object({
  eventId,
  ticketTypeId: z.string().describe('The id of the ticket type, from event_overview'),
  email,
  name: z.string().optional(),
});

/** Tools that change something. Each describes its change first. */
export const writeTools: readonly Tool[] = [
  writeTool({
    name: 'create_event',
    title: 'Create an event',
    description: 'Creates an event as a draft.',
    input: newEvent,
    output: event,
    isDestructive: false,
    preview: async (_api, { again: _, ...event }) => ({
      ...{ create: 'event', ...event, status: 'draft' },
    }),
    run: ({ client }, input) => {
      const { again: _, ...event } = input;
      const headers = keyOf('create_event', input);
      return createEvent({ client, body: defined(event), headers });
    },
  }),
  writeTool({
    name: 'create_ticket_type',
    title: 'Create a ticket type',
    description: 'Creates a ticket type of an event, as a draft or open for sale.',
    input: newType,
    output: ticketType.extend({ capacity: z.int().nullable() }),
    isDestructive: false,
    preview: async (api, { eventId, again: _, ...type }) => ({
      ...{ create: 'ticket type', event: await nameOfEvent(api, eventId), ...type },
    }),
    async run({ client }, input) {
      const { eventId, open, again: _, ...type } = input;
      const path = { eventId };
      const headers = keyOf('create_ticket_type', input);
      const created = await createTicketType({ client, path, body: defined(type), headers });
      if (!open) return created;
      const typePath = { ...path, typeId: created.id };
      return updateTicketType({ client, path: typePath, body: { status: 'open' } });
    },
  }),
  writeTool({
    name: 'register_person',
    title: 'Register a person',
    description: 'Registers a person without an order, or puts them on the waitlist.',
    input: guest,
    output: z.object({ registrationId: z.string(), status: z.string(), created: z.boolean() }),
    isDestructive: false,
    async preview(api, { eventId, ticketTypeId, ...person }) {
      const path = { eventId, typeId: ticketTypeId };
      const [event, { name, priceAmount }] = await Promise.all([
        nameOfEvent(api, eventId),
        getTicketType({ client: api.client, path }),
      ]);
      return { register: person, event, ticketType: name, priceAmount };
    },
    async run({ client }, { eventId, ticketTypeId, ...person }) {
      const body = { ...defined(person), registrationTypeId: ticketTypeId };
      const result = await createRegistration({ client, path: { eventId }, body });
      const { id, status } = result.registration;
      return { registrationId: id, status, created: result.created };
    },
  }),
  writeTool({
    name: 'decide_application',
    title: 'Decide an application',
    description: 'Approves or rejects a registration that is pending.',
    input: z.object({
      eventId,
      registrationId,
      decision: z.enum(['approve', 'reject']),
      reason: z.string().optional().describe('Why it is rejected'),
    }),
    output: registrationState,
    isDestructive: true,
    preview: async (api, { eventId, registrationId: id, decision, reason }) => ({
      ...{ registration: await present(api, { eventId, id }), decision, reason },
    }),
    async run({ client }, { eventId, registrationId: id, decision, reason }) {
      const path = { eventId, id };
      if (decision === 'approve') await approveRegistration({ client, path });
      else await rejectRegistration({ client, path, body: defined({ reason }) });
      return present({ client, baseUrl: '' }, path);
    },
  }),
  writeTool({
    name: 'cancel_registration',
    title: 'Cancel a registration',
    description: 'Cancels a registration and releases its seat. It refunds no money.',
    input: z.object({ eventId, registrationId }),
    output: registrationState,
    isDestructive: true,
    preview: async (api, { eventId, registrationId: id }) => ({
      ...{ cancel: await present(api, { eventId, id }) },
    }),
    async run({ client }, { eventId, registrationId: id }) {
      const path = { eventId, id };
      await cancelRegistration({ client, path });
      return present({ client, baseUrl: '' }, path);
    },
  }),
  writeTool({
    name: 'check_in',
    title: 'Check a person in',
    description: 'Checks a registration in at the door of the event, by hand.',
    input: z.object({ eventId, registrationId }),
    output: z.object({
      ...{ alreadyCheckedIn: z.boolean(), checkedInAt: z.string() },
      badgeReplaced: z.boolean().describe('Whether a former badge of the ticket was let in'),
      notice: z.string().nullable(),
    }),
    isDestructive: false,
    preview: async (api, { eventId, registrationId: id }) => ({
      checkIn: await present(api, { eventId, id }),
      warnings: await warningsOf(api, { eventId, id }),
    }),
    async run({ client }, { eventId, registrationId }) {
      const body = { registrationId, subjectType: 'event' as const, method: 'manual' as const };
      const { alreadyCheckedIn, checkin, notice } = await createCheckin({
        client,
        path: { eventId },
        body,
      });
      const { checkedInAt, badgeReplaced } = checkin;
      return { alreadyCheckedIn, checkedInAt, badgeReplaced, notice };
    },
  }),
];

type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

/** The fields without those that are undefined. */
const defined = <Fields extends object>(fields: Fields): Defined<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;
