import { z } from 'zod';
import { operation } from '../operation.ts';
import { EventPath } from './events.ts';
import {
  amount,
  description,
  id,
  itemType,
  ListQuery,
  listOf,
  name,
  sortOrder,
  statusFilter,
  text,
  timestampOut,
  updatedSince,
} from './fields.ts';
import { taxRateId, taxRateIdInput } from './tax-rates.ts';
import { saleStatuses } from './ticket-types.ts';

export const bundleItemTypes = ['registration_type', 'addon'] as const;

const maxItems = 50;

export const BundleItem = z
  .object({
    itemType: z.enum(bundleItemTypes),
    itemId: id('tt'),
    quantity: z.int().meta({ example: 1 }),
  })
  .meta({ id: 'BundleItem' });

export const Bundle = z
  .object({
    id: id('bdl'),
    eventId: id('evt'),
    name: z.string().meta({ example: 'Conference and workshop' }),
    description: z.string().nullable().meta({ example: null }),
    status: z.enum(saleStatuses),
    priceAmount: z
      .int()
      .nullable()
      .meta({ description: 'Null means the sum of its items.', example: 15900 }),
    effectivePriceAmount: z.int().meta({
      description: 'What it costs: `priceAmount`, or the present sum of its items.',
      example: 15900,
    }),
    taxRateId: taxRateId.meta({
      description:
        'The tax rate of the whole price. Null: the price is divided in proportion to the prices of the items, and each part is taxed with the rate of its item.',
      example: null,
    }),
    sortOrder: z.int(),
    items: z.array(BundleItem),
    remaining: z.int().nullable().meta({
      description:
        'How many bundles the remaining seats and units of its items allow. Null if they are unlimited, or it has none.',
      example: 74,
    }),
    createdAt: timestampOut(),
  })
  .meta({ id: 'Bundle' });

/** All items: at most 50, without duplicates. */
export const BundleItems = z
  .array(
    z.object({
      itemType: itemType(bundleItemTypes),
      itemId: text({ min: 1, max: 200 }).meta({ example: 'tt_01k8zq4m3ne7rbj5t2xw9vd6ah' }),
      quantity: z.int().min(1).max(100).default(1),
    }),
  )
  .max(maxItems)
  .check((ctx) => {
    const seen = new Set<string>();
    for (const [index, { itemType, itemId }] of ctx.value.entries()) {
      const item = `${itemType} ${itemId}`;
      if (seen.has(item)) {
        const message = 'must not appear in the bundle twice';
        ctx.issues.push({ code: 'custom', message, path: [index, 'itemId'], input: itemId });
      }
      seen.add(item);
    }
  });

const fields = {
  name: name().meta({ example: 'Conference and workshop' }),
  description: description().nullable(),
  priceAmount: amount()
    .nullable()
    .meta({ description: 'Null means the sum of its items.', example: 15900 }),
  taxRateId: taxRateIdInput.meta({
    description: 'A tax rate of the business unit. Null: each item is taxed with its own.',
    example: null,
  }),
  sortOrder: sortOrder(),
};

export const CreateBundle = z
  .object({
    name: fields.name,
    description: fields.description.default(null),
    priceAmount: fields.priceAmount.default(null),
    taxRateId: fields.taxRateId.default(null),
    sortOrder: fields.sortOrder.default(0),
    items: BundleItems.default([]),
  })
  .meta({ id: 'CreateBundle' });

export const UpdateBundle = z
  .object({ ...fields, status: z.enum(saleStatuses) })
  .partial()
  .meta({ id: 'UpdateBundle', example: { status: 'open', priceAmount: null } });

const BundlePath = EventPath.extend({ id: id('bdl') });

const config = { tag: 'Bundles', owner: 'catalog', audience: 'api' } as const;

export const listBundles = operation({
  method: 'GET',
  url: '/v1/events/:eventId/bundles',
  config: {
    ...config,
    operationId: 'listBundles',
    permission: 'catalog.read',
    summary: 'List bundles',
    description:
      'By `sortOrder`, then oldest first, or with `updatedSince` oldest change first. A change of `remaining` or ' +
      '`effectivePriceAmount` alone is not listed.',
  },
  schema: {
    params: EventPath,
    querystring: ListQuery.extend({
      status: statusFilter(saleStatuses),
      updatedSince: updatedSince(),
    }),
    response: { 200: listOf('bundles', Bundle) },
  },
});

export const createBundle = operation({
  method: 'POST',
  url: '/v1/events/:eventId/bundles',
  config: {
    ...config,
    operationId: 'createBundle',
    newRecord: { status: 'draft' },
    permission: 'catalog.write',
    summary: 'Create a draft bundle',
    description: 'A bundle is on sale when it is open, has items, and all of them are on sale.',
    preconditions: ['EVENT_ARCHIVED'],
  },
  schema: { params: EventPath, body: CreateBundle, response: { 201: Bundle } },
});

export const getBundle = operation({
  method: 'GET',
  url: '/v1/events/:eventId/bundles/:id',
  config: {
    ...config,
    operationId: 'getBundle',
    permission: 'catalog.read',
    summary: 'Read one bundle',
  },
  schema: { params: BundlePath, response: { 200: Bundle } },
});

export const updateBundle = operation({
  method: 'PATCH',
  url: '/v1/events/:eventId/bundles/:id',
  config: {
    ...config,
    operationId: 'updateBundle',
    derived: ['effectivePriceAmount', 'remaining'],
    permission: 'catalog.write',
    summary: 'Update, open, close or archive a bundle',
    description:
      'Omitted fields keep their values. A draft can be opened, an open bundle closed, a closed one opened again, and ' +
      'each of them archived. An archived bundle cannot change. `PUT …/items` replaces the items.',
  },
  schema: { params: BundlePath, body: UpdateBundle, response: { 200: Bundle } },
});

export const replaceBundleItems = operation({
  method: 'PUT',
  url: '/v1/events/:eventId/bundles/:id/items',
  config: {
    ...config,
    operationId: 'replaceBundleItems',
    sets: ['items'],
    permission: 'catalog.write',
    summary: 'Replace the items of a bundle',
    description:
      'The body is the array itself. Every entry must be a ticket type or an add-on of the same event. ' +
      'An empty array removes all items.',
  },
  schema: { params: BundlePath, body: BundleItems, response: { 200: Bundle } },
});
