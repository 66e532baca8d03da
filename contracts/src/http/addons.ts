import { z } from 'zod';
import { operation } from '../operation.ts';
import { EventPath } from './events.ts';
import {
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
  timestamp,
  timestampOut,
  updatedSince,
} from './fields.ts';
import { taxRateId, taxRateIdInput } from './tax-rates.ts';
import { saleStatuses } from './ticket-types.ts';

export const AddonAvailability = z
  .object({
    capacity: z.int().nullable().meta({ description: 'Null means unlimited.', example: 40 }),
    sold: z.int().meta({ description: 'Units that registrations have.', example: 31 }),
    held: z
      .int()
      .meta({ description: 'Units held for orders that are not settled yet.', example: 2 }),
    remaining: z
      .int()
      .nullable()
      .meta({ description: 'Null for an unlimited add-on.', example: 7 }),
  })
  .meta({ id: 'AddonAvailability' });

export const Addon = z
  .object({
    id: id('addon'),
    eventId: id('evt'),
    name: z.string().meta({ example: 'Workshop day' }),
    description: z.string().nullable().meta({ example: null }),
    status: z.enum(saleStatuses),
    capacity: z
      .int()
      .nullable()
      .meta({ description: 'How many units are for sale. Null means unlimited.', example: 40 }),
    opensAt: timestampOut('2026-11-01T08:00:00.000Z').nullable(),
    closesAt: timestampOut('2027-05-12T15:00:00.000Z').nullable(),
    priceAmount: z.int().meta({ description: "In the currency's minor unit", example: 4900 }),
    taxRateId,
    ...perOrderLimits,
    availability: AddonAvailability,
    sortOrder: z.int(),
    createdAt: timestampOut(),
  })
  .meta({ id: 'Addon' });

const fields = {
  name: name().meta({ example: 'Workshop day' }),
  description: description().nullable(),
  capacity: z
    .int()
    .min(1)
    .max(limits.capacity)
    .nullable()
    .meta({ description: 'How many units are for sale. Null means unlimited.', example: 40 }),
  opensAt: timestamp('2026-11-01T09:00:00+01:00').nullable(),
  closesAt: timestamp('2027-05-12T17:00:00+02:00').nullable(),
  priceAmount: amount().meta({ example: 4900 }),
  taxRateId: taxRateIdInput,
  ...perOrderLimitsInput,
  sortOrder: sortOrder(),
};

export const CreateAddon = z
  .object({
    name: fields.name,
    description: fields.description.default(null),
    capacity: fields.capacity.default(null),
    opensAt: fields.opensAt.optional(),
    closesAt: fields.closesAt.optional(),
    priceAmount: fields.priceAmount.default(0),
    taxRateId: fields.taxRateId.default(null),
    minPerOrder: fields.minPerOrder.default(null),
    maxPerOrder: fields.maxPerOrder.default(null),
    sortOrder: fields.sortOrder.default(0),
  })
  .meta({ id: 'CreateAddon' });

export const UpdateAddon = z
  .object({ ...fields, status: z.enum(saleStatuses) })
  .partial()
  .meta({ id: 'UpdateAddon', example: { status: 'open', priceAmount: 5900 } });

const AddonPath = EventPath.extend({ id: id('addon') });

const config = { tag: 'Add-ons', owner: 'catalog', audience: 'api' } as const;

export const listAddons = operation({
  method: 'GET',
  url: '/v1/events/:eventId/addons',
  config: {
    ...config,
    operationId: 'listAddons',
    permission: 'catalog.read',
    summary: 'List add-ons',
    description:
      'By `sortOrder`, then oldest first, or with `updatedSince` oldest change first. A change of `availability` alone ' +
      'is not listed.',
  },
  schema: {
    params: EventPath,
    querystring: ListQuery.extend({
      status: statusFilter(saleStatuses),
      updatedSince: updatedSince(),
    }),
    response: { 200: listOf('addons', Addon) },
  },
});

export const createAddon = operation({
  method: 'POST',
  url: '/v1/events/:eventId/addons',
  config: {
    ...config,
    operationId: 'createAddon',
    newRecord: { status: 'draft' },
    permission: 'catalog.write',
    summary: 'Create a draft add-on',
    preconditions: ['EVENT_ARCHIVED'],
  },
  schema: { params: EventPath, body: CreateAddon, response: { 201: Addon } },
});

export const getAddon = operation({
  method: 'GET',
  url: '/v1/events/:eventId/addons/:id',
  config: {
    ...config,
    operationId: 'getAddon',
    permission: 'catalog.read',
    summary: 'Read one add-on',
  },
  schema: { params: AddonPath, response: { 200: Addon } },
});

export const updateAddon = operation({
  method: 'PATCH',
  url: '/v1/events/:eventId/addons/:id',
  config: {
    ...config,
    operationId: 'updateAddon',
    derived: ['availability'],
    permission: 'catalog.write',
    summary: 'Update, open, close or archive an add-on',
    description:
      'Omitted fields keep their values. A draft can be opened, an open add-on closed, a closed one opened again, and ' +
      'each of them archived. An archived add-on cannot change. A `capacity` below what is sold takes nothing away.',
  },
  schema: { params: AddonPath, body: UpdateAddon, response: { 200: Addon } },
});
