import { z } from 'zod';
import { operation } from '../operation.ts';
import { EventPath } from './events.ts';
import {
  acceptsTicketTypeId,
  emailFilter,
  id,
  ListQuery,
  limits,
  line,
  listOf,
  nullIsAbsent,
  nullIsDefault,
  statusFilter,
  text,
  timestamp,
  timestampOut,
  updatedSince,
} from './fields.ts';
import { EffectivePerk } from './registrations.ts';
import { TicketType } from './ticket-types.ts';

export const codeStatuses = ['active', 'disabled'] as const;

export const Discount = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('percent'), value: z.int().min(1).max(100).meta({ example: 10 }) }),
    z.object({ type: z.literal('amount'), value: z.int().min(1).max(limits.amount) }),
  ])
  .meta({
    id: 'Discount',
    description: 'Applies to each seat of the ticket type. A price never goes below 0.',
  });

export type Discount = z.infer<typeof Discount>;

export const RedemptionCode = z
  .object({
    id: id('code'),
    eventId: id('evt'),
    registrationTypeId: id('tt'),
    code: z.string().meta({ example: 'FRIENDS-10' }),
    label: z.string().nullable(),
    maxUses: z.int().nullable().meta({ description: 'Null means unlimited.' }),
    uses: z.int(),
    expiresAt: timestampOut().nullable(),
    status: z.enum(codeStatuses),
    discount: Discount.nullable(),
    createdAt: timestampOut(),
  })
  .meta({ id: 'RedemptionCode' });

/** The characters of a code that the client chooses. */
export const ownCode = /^[A-Za-z0-9_-]{1,64}$/;

export const CreateRedemptionCodes = acceptsTicketTypeId(
  z.object({
    registrationTypeId: text({ min: 1, max: 200 }).meta({
      example: 'tt_01k8zq4m3ne7rbj5t2xw9vd6ah',
    }),
    count: nullIsDefault(z.int().min(1).max(1000), 1),
    code: nullIsAbsent(
      z.string().trim().regex(ownCode, 'must be 1 to 64 letters, digits, _ or -'),
    ).meta({
      description: 'A custom code. It creates one code, whatever the value of `count`.',
      example: 'FRIENDS-10',
    }),
    label: line({ min: 0, max: 200 }).nullable().default(null),
    maxUses: z.int().min(1).max(1_000_000).nullable().default(1),
    expiresAt: timestamp().nullable().optional().meta({
      description: 'When the code expires, in the future; null means never.',
    }),
    discount: Discount.nullable().default(null),
  }),
).meta({ id: 'CreateRedemptionCodes' });

export const CodeLookup = z
  .object({
    code: z.string(),
    registrationType: TicketType,
    perks: z.array(EffectivePerk),
    priceAmount: z.int().meta({ example: 12900 }),
    discountedPriceAmount: z.int().meta({ example: 11610 }),
    currency: z.string().meta({ example: 'EUR' }),
    registrationId: id('reg').nullable().meta({
      description:
        'The active registration of `email`, if it uses the code: no further use is needed for it.',
      example: null,
    }),
  })
  .meta({ id: 'CodeLookup' });

const config = { tag: 'Redemption codes', owner: 'registration', audience: 'api' } as const;

export const listRedemptionCodes = operation({
  method: 'GET',
  url: '/v1/events/:eventId/redemption-codes',
  config: {
    ...config,
    operationId: 'listRedemptionCodes',
    permission: 'codes',
    summary: 'List redemption codes',
    description:
      'Newest first, or with `updatedSince` oldest change first. For `updatedSince`, a code also changes when it is used or ' +
      'a use is released.',
  },
  schema: {
    params: EventPath,
    querystring: ListQuery.extend({
      status: statusFilter(codeStatuses),
      updatedSince: updatedSince(),
    }),
    response: { 200: listOf('redemptionCodes', RedemptionCode) },
  },
});

export const createRedemptionCodes = operation({
  method: 'POST',
  url: '/v1/events/:eventId/redemption-codes',
  config: {
    ...config,
    operationId: 'createRedemptionCodes',
    newRecord: { uses: 0, status: 'active' },
    permission: 'codes',
    summary: 'Create one redemption code or a batch',
    description:
      'Creates the whole batch or nothing. Generated codes have ten random letters and digits. ' +
      '`Location` is sent if exactly one code is created.',
    createsMany: true,
    errors: [409],
    preconditions: ['EVENT_ARCHIVED', 'TICKET_TYPE_ARCHIVED'],
  },
  schema: {
    params: EventPath,
    body: CreateRedemptionCodes,
    response: { 201: z.object({ redemptionCodes: z.array(RedemptionCode) }) },
  },
});

export const lookupRedemptionCode = operation({
  method: 'GET',
  url: '/v1/events/:eventId/redemption-codes/lookup',
  config: {
    ...config,
    operationId: 'lookUpRedemptionCode',
    permission: 'codes.lookup',
    summary: 'Read what a redemption code unlocks',
    description:
      'Case does not matter. Every invalid code gets the same 404. With `email`, the code of a registration of that ' +
      'person is found although it has no uses left, has expired or is disabled: its use stays valid, for example for the ' +
      'order after an approval.',
  },
  schema: {
    params: EventPath,
    // A code that is missing or sent twice gets the same 404 as any other wrong one.
    querystring: z.object({
      code: z
        .string()
        .optional()
        .catch(undefined)
        .meta({
          type: 'string',
          description:
            'The code; case does not matter. A missing code gets the same 404 as an invalid one.',
          example: 'FRIENDS-10',
          param: { required: true },
        }),
      email: emailFilter(
        'The person who wants to use the code, compared without case. Text that is not an email is nobody.',
      ),
    }),
    response: { 200: CodeLookup },
  },
});

const RedemptionCodePath = EventPath.extend({ codeId: id('code') });

export const getRedemptionCode = operation({
  method: 'GET',
  url: '/v1/events/:eventId/redemption-codes/:codeId',
  config: {
    ...config,
    operationId: 'getRedemptionCode',
    permission: 'codes',
    summary: 'Read one redemption code',
    description: 'With its current uses.',
  },
  schema: { params: RedemptionCodePath, response: { 200: RedemptionCode } },
});

export const disableRedemptionCode = operation({
  method: 'POST',
  url: '/v1/events/:eventId/redemption-codes/:codeId/disable',
  config: {
    ...config,
    operationId: 'disableRedemptionCode',
    sets: ['status'],
    derived: ['uses'],
    permission: 'codes',
    summary: 'Disable a redemption code',
    description: 'Permanent. Disabling a disabled code returns it unchanged.',
  },
  schema: {
    params: RedemptionCodePath,
    response: { 200: RedemptionCode },
  },
});
