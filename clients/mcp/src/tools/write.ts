import {
  approveRegistration,
  cancelRegistration,
  createCheckin,
  createEvent,
  createRegistration,
  createTicketType,
  getTicketType,
  rejectRegistration,
  updateTicketType,
} from '@event-api/client';
import { z } from 'zod';
import { type Tool, writeTool } from '../tool.ts';
import { warningsOf } from './checkin-warnings.ts';
import { creationTool } from './create-once.ts';
import { defined, email, eventId, priceAmount, registrationId, ticketTypeId } from './fields.ts';
import { event, registrationState, ticketType } from './outputs.ts';
import { nameOfEvent, present } from './present.ts';

const newEvent = z.object({
  name: z.string(),
  timezone: z.string().describe('IANA name, for example Europe/Berlin'),
  startsAt: z.string().optional().describe('ISO 8601 with an offset'),
  endsAt: z.string().optional().describe('ISO 8601 with an offset'),
});

const newType = z.object({
  eventId,
  name: z.string(),
  capacity: z.int().min(1).optional().describe('Without it there is no limit'),
  priceAmount,
  open: z.boolean().default(false).describe('Whether the sale begins at once'),
});

const guest = z.object({
  eventId,
  ticketTypeId,
  email,
  name: z.string().optional(),
});

/** Tools that change something. Each describes its change first. */
export const writeTools: readonly Tool[] = [
  creationTool({
    name: 'create_event',
    title: 'Create an event',
    description: 'Creates an event as a draft.',
    input: newEvent,
    output: event,
    preview: async (_api, event) => ({ create: 'event', ...event, status: 'draft' }),
    run: ({ client }, event, headers) => createEvent({ client, body: defined(event), headers }),
  }),
  creationTool({
    name: 'create_ticket_type',
    title: 'Create a ticket type',
    description: 'Creates a ticket type of an event, as a draft or open for sale.',
    input: newType,
    output: ticketType.extend({ capacity: z.int().nullable() }),
    preview: async (api, { eventId, ...type }) => ({
      ...{ create: 'ticket type', event: await nameOfEvent(api, eventId), ...type },
    }),
    async run({ client }, { eventId, open, ...type }, headers) {
      const path = { eventId };
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
      return present({ client }, path);
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
      return present({ client }, path);
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
