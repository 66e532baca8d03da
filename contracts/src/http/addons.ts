import { z } from 'zod';
import { operation } from '../operation.ts';
import { EventPath } from './events.ts';
import {
  amount,
  description,
  id,
  ListQuery,
  listOf,
  name,
  sortOrder,
  statusFilter,
  timestampOut,
  updatedSince,
} from './fields.ts';
import { saleStatuses } from './ticket-types.ts';

export const Addon = z
  .object({
    id: id('addon'),
    eventId: id('evt'),
    name: z.string().meta({ example: 'Workshop day' }),
    description: z.string().nullable().meta({ example: null }),
    status: z.enum(saleStatuses),
    priceAmount: z.int().meta({ description: "In the currency's minor unit", example: 4900 }),
    sortOrder: z.int(),
    createdAt: timestampOut(),
  })
  .meta({ id: 'Addon' });

const fields = {
  name: name().meta({ example: 'Workshop day' }),
  description: description().nullable(),
  priceAmount: amount().meta({ example: 4900 }),
  sortOrder: sortOrder(),
};

export const CreateAddon = z
  .object({
    name: fields.name,
    description: fields.description.default(null),
    priceAmount: fields.priceAmount.default(0),
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
    description: 'By `sortOrder`, then oldest first, or with `updatedSince` oldest change first.',
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
    permission: 'catalog.write',
    summary: 'Update, open, close or archive an add-on',
    description:
      'Omitted fields keep their values. A draft can be opened, an open add-on closed, a closed one opened again, and ' +
      'each of them archived. An archived add-on cannot change.',
  },
  schema: { params: AddonPath, body: UpdateAddon, response: { 200: Addon } },
});
