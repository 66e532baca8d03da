import { z } from 'zod';
import { operation } from '../operation.ts';
import { EventPath } from './events.ts';
import {
  admissionTimes,
  admissionTimesInput,
  amount,
  description,
  id,
  ListQuery,
  limits,
  listOf,
  name,
  perOrderLimits,
  perOrderLimitsInput,
  sortOrder,
  statusFilter,
  text,
  timestamp,
  timestampOut,
  updatedSince,
} from './fields.ts';
import { taxRateId, taxRateIdInput } from './tax-rates.ts';

export const saleStatuses = ['draft', 'open', 'closed', 'archived'] as const;
export type SaleStatus = (typeof saleStatuses)[number];

export const Availability = z
  .object({
    capacity: z.int().nullable().meta({ description: 'Null means unlimited.', example: 200 }),
    confirmed: z.int().meta({ example: 120 }),
    waitlisted: z.int(),
    held: z.int().meta({
      description: 'Seats held for orders that are not settled yet, and open seats of paid orders.',
      example: 6,
    }),
    remaining: z.int().nullable().meta({
      description:
        'Null for an unlimited ticket type; 0 while people on the waitlist can still be promoted.',
      example: 74,
    }),
  })
  .meta({ id: 'Availability' });

export const TicketType = z
  .object({
    id: id('tt'),
    eventId: id('evt'),
    name: z.string().meta({ example: 'Early bird' }),
    description: z.string().nullable().meta({ example: null }),
    capacity: z.int().nullable().meta({ description: 'Null means unlimited.', example: 200 }),
    capacityGroupId: z.string().nullable().meta({
      description:
        'The capacity group of the event whose seats it shares; its own `capacity` limits it, too.',
      example: null,
    }),
    allowWaitlist: z.boolean(),
    isPublic: z
      .boolean()
      .meta({ description: 'False hides it from storefronts. This API sells it anyway.' }),
    requiresApproval: z.boolean(),
    status: z.enum(saleStatuses),
    opensAt: timestampOut('2026-11-01T08:00:00.000Z').nullable(),
    closesAt: timestampOut('2027-05-12T15:00:00.000Z').nullable(),
    ...admissionTimes,
    priceAmount: z.int().meta({ description: "In the currency's minor unit", example: 12900 }),
    taxRateId,
    ...perOrderLimits,
    sortOrder: z.int(),
    counts: z.object({ confirmed: z.int(), waitlisted: z.int() }),
    availability: Availability,
    createdAt: timestampOut(),
  })
  .meta({ id: 'TicketType' });

const fields = {
  name: name().meta({ example: 'Early bird' }),
  description: description().nullable(),
  capacity: z
    .int()
    .min(1)
    .max(limits.capacity)
    .nullable()
    .meta({ description: 'Null means unlimited.', example: 200 }),
  capacityGroupId: text({ min: 1, max: 200 }).nullable().meta({
    description: 'A capacity group of the event. Null means none.',
    example: null,
  }),
  allowWaitlist: z.boolean(),
  isPublic: z.boolean().meta({ example: true }),
  requiresApproval: z.boolean(),
  opensAt: timestamp('2026-11-01T09:00:00+01:00').nullable(),
  closesAt: timestamp('2027-05-12T17:00:00+02:00').nullable(),
  ...admissionTimesInput,
  priceAmount: amount().meta({ example: 12900 }),
  taxRateId: taxRateIdInput,
  ...perOrderLimitsInput,
  sortOrder: sortOrder(),
};

// Defaults belong here and not in `fields`: `.partial()` would keep them, and a PATCH would reset
// omitted fields.
export const CreateTicketType = z
  .object({
    name: fields.name,
    description: fields.description.default(null),
    capacity: fields.capacity.default(null),
    capacityGroupId: fields.capacityGroupId.default(null),
    allowWaitlist: fields.allowWaitlist.default(false),
    isPublic: fields.isPublic.default(true),
    requiresApproval: fields.requiresApproval.default(false),
    opensAt: fields.opensAt.optional(),
    closesAt: fields.closesAt.optional(),
    admissionOpensAt: fields.admissionOpensAt.optional(),
    admissionClosesAt: fields.admissionClosesAt.optional(),
    priceAmount: fields.priceAmount.default(0),
    taxRateId: fields.taxRateId.default(null),
    minPerOrder: fields.minPerOrder.default(null),
    maxPerOrder: fields.maxPerOrder.default(null),
    sortOrder: fields.sortOrder.default(0),
  })
  .meta({ id: 'CreateTicketType' });

export const UpdateTicketType = z
  .object({ ...fields, status: z.enum(saleStatuses) })
  .partial()
  .meta({ id: 'UpdateTicketType', example: { status: 'open', capacity: 250 } });

export const TicketTypePath = EventPath.extend({ typeId: id('tt') });

const tag = 'Ticket types';

export const listTicketTypes = operation({
  method: 'GET',
  url: '/v1/events/:eventId/ticket-types',
  config: {
    operationId: 'listTicketTypes',
    permission: 'catalog.read',
    tag,
    summary: 'List ticket types',
    description:
      'By `sortOrder`, then oldest first, or with `updatedSince` oldest change first. A change of `counts` and ' +
      '`availability` alone is not listed.',
    owner: 'catalog',
    audience: 'api',
  },
  schema: {
    params: EventPath,
    querystring: ListQuery.extend({
      status: statusFilter(saleStatuses),
      updatedSince: updatedSince(),
    }),
    response: { 200: listOf('ticketTypes', TicketType) },
  },
});

export const createTicketType = operation({
  method: 'POST',
  url: '/v1/events/:eventId/ticket-types',
  config: {
    operationId: 'createTicketType',
    newRecord: { status: 'draft', counts: { confirmed: 0, waitlisted: 0 } },
    permission: 'catalog.write',
    tag,
    summary: 'Create a draft ticket type',
    owner: 'catalog',
    audience: 'api',
    preconditions: ['EVENT_ARCHIVED'],
  },
  schema: { params: EventPath, body: CreateTicketType, response: { 201: TicketType } },
});

export const getTicketType = operation({
  method: 'GET',
  url: '/v1/events/:eventId/ticket-types/:typeId',
  config: {
    operationId: 'getTicketType',
    permission: 'catalog.read',
    tag,
    summary: 'Read one ticket type',
    owner: 'catalog',
    audience: 'api',
  },
  schema: { params: TicketTypePath, response: { 200: TicketType } },
});

export const updateTicketType = operation({
  method: 'PATCH',
  url: '/v1/events/:eventId/ticket-types/:typeId',
  config: {
    operationId: 'updateTicketType',
    derived: ['counts', 'availability'],
    permission: 'catalog.write',
    tag,
    summary: 'Update, open, close or archive a ticket type',
    description:
      'Omitted fields keep their values; `null` clears a nullable field. A draft can be opened, an open ticket ' +
      'type closed, a closed one opened again, and each of them archived. An archived ticket type cannot ' +
      'change. Raising `capacity` promotes people from the waitlist before the response.',
    owner: 'catalog',
    audience: 'api',
  },
  schema: { params: TicketTypePath, body: UpdateTicketType, response: { 200: TicketType } },
});
