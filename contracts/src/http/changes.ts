import { z } from 'zod';
import { actorTypes } from '../actor.ts';
import { changeObjectTypes, changeTypes } from '../changes.ts';
import { operation } from '../operation.ts';
import { id, idFilter, ListQuery, text, timestampOut, wholeNumber } from './fields.ts';

const State = z
  .object({
    status: z
      .string()
      .nullable()
      .meta({ description: 'Null if the record has no status.', example: 'paid' }),
  })
  .nullable();

export const Change = z
  .object({
    id: id('chg'),
    sequence: z.int().min(1).meta({
      description: 'Counts the changes of the business unit, without a gap.',
      example: 1204,
    }),
    type: z.enum(changeTypes).meta({ example: 'order.paid' }),
    occurredAt: timestampOut(),
    eventId: id('evt').nullable().meta({
      description: 'Null if the record belongs to no event: a webhook endpoint.',
      example: 'evt_01k8zq4m3ne7rbj5t2xw9vd6ah',
    }),
    object: z.object({
      type: z.enum(changeObjectTypes).meta({ example: 'order' }),
      id: z.string().meta({ example: 'ord_01k8zq4m3ne7rbj5t2xw9vd6ah' }),
      version: z.int().meta({
        description: 'Orders the changes of one record. It grows and has gaps.',
        example: 1_790_000_000_000_000,
      }),
    }),
    previous: State.meta({ description: 'Before the change; null for a new record.' }),
    current: State.meta({ description: 'After the change; null for a deleted record.' }),
    actor: z.object({
      type: z.enum(actorTypes),
      id: z.string().nullable().meta({ example: 'key_01k8zq4m3ne7rbj5t2xw9vd6ah' }),
    }),
  })
  .meta({ id: 'Change' });
export type Change = z.output<typeof Change>;

const cursor = () =>
  z.string().meta({
    description: 'Send it as `after` to continue.',
    example: 'MS5mMWM4YjFiNi0yZjBlLTRhNTUtOGQ0YS0wZDhjN2UwZjlmMTEuMTIwNC45Zjg2ZDA4MTg4NGM3ZDY1',
  });
const digest = () =>
  z.string().meta({
    description: 'The digest of all changes of the epoch up to here: SHA-256, in lower-case hex.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  });

const isChangeType = (type: string): type is (typeof changeTypes)[number] =>
  (changeTypes as readonly string[]).includes(type);

export const ListChangesQuery = z.object({
  after: text({ min: 1, max: 500 }).optional().meta({
    description:
      'The `nextCursor` of the previous page, or the `cursor` of the head. Without it, the oldest change of the present epoch that is kept.',
  }),
  limit: ListQuery.shape.limit,
  wait: wholeNumber(0, 5).optional().meta({
    description:
      'Seconds to wait for changes. The response comes 500 ms after the first one, when the page is full, or when the time has passed.',
  }),
  types: text({ min: 1, max: 2000 })
    .check((ctx) => {
      const unknown = ctx.value.split(',').find((type) => !isChangeType(type));
      if (unknown === undefined) return;
      const message = `contains ${JSON.stringify(unknown)}, which is not a type of change`;
      ctx.issues.push({ code: 'custom', message, input: ctx.value });
    })
    .transform((list) => list.split(',').filter(isChangeType))
    .optional()
    .meta({
      description: 'Only changes of these types, separated by commas.',
      example: 'order.paid,order.refunded',
    }),
  eventId: idFilter('Only changes of this event.'),
});

const config = {
  tag: 'Changes',
  owner: 'changes',
  audience: 'api',
  rateLimitBudget: 'changes',
  mayWait: true,
} as const;

export const listChanges = operation({
  method: 'GET',
  url: '/v1/changes',
  config: {
    ...config,
    operationId: 'listChanges',
    permission: 'changes',
    summary: 'List changes, oldest first',
    description:
      'Every create, update, delete and change of status of the business unit, in one sequence without gaps. An empty page means that the feed has nothing newer. At most four requests of a key wait at a time; a fifth is a 429.',
    preconditions: ['FEED_RESET', 'CURSOR_EXPIRED'],
  },
  schema: {
    querystring: ListChangesQuery,
    response: {
      200: z.object({
        changes: z.array(Change),
        nextCursor: cursor(),
        digest: digest().nullable().meta({
          description: 'The digest at `nextCursor`. Null with `types` or `eventId`.',
        }),
      }),
    },
  },
});

export const getChangesHead = operation({
  method: 'GET',
  url: '/v1/changes/head',
  config: {
    ...config,
    operationId: 'getChangesHead',
    permission: 'changes',
    summary: 'Read the end of the feed',
    description:
      'To synchronize from the beginning, read this first, then all lists, and then follow the changes from `cursor`.',
  },
  schema: {
    response: {
      200: z.object({
        sequence: z.int().min(0).meta({ example: 1204 }),
        cursor: cursor(),
        digest: digest(),
        epoch: z.string().meta({
          description: 'Changes when a database was restored to an earlier state.',
          example: 'f1c8b1b6-2f0e-4a55-8d4a-0d8c7e0f9f11',
        }),
      }),
    },
  },
});
