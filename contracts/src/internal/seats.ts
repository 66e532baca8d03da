import { z } from 'zod';
import { Discount } from '../http/redemption-codes.ts';
import { Registration, registrationStatuses } from '../http/registrations.ts';
import { operation } from '../operation.ts';

const config = { tag: 'Internal', owner: 'registration', audience: 'service' } as const;

const scope = { businessUnitId: z.string(), eventId: z.string() };

/** What an order asks for, whole; it is sent with each step, so that a step can be taken without an earlier one. */
export const Claim = z.object({
  ...scope,
  /** The order's id: the same claim, however often it is sent. */
  claimId: z.string(),
  buyer: z.object({ email: z.string(), name: z.string().nullable() }),
  /** One entry a seat, in the order of the order's lines. */
  seats: z.array(
    z.object({ ticketTypeId: z.string(), email: z.string(), name: z.string().nullable() }),
  ),
  /** Add-ons that join the buyer's registration. */
  addonIds: z.array(z.string()),
  redemptionCode: z.string().nullable(),
  /** An order that costs nothing may hold seats that need approval. */
  isFree: z.boolean(),
});

export type Claim = z.infer<typeof Claim>;

export const claimSeats = operation({
  method: 'POST',
  url: '/internal/claims',
  config: { ...config, operationId: 'claimSeats', summary: 'Set seats aside, all of them or none' },
  schema: {
    body: Claim,
    response: {
      200: z.discriminatedUnion('outcome', [
        z.object({
          outcome: z.literal('claimed'),
          expiresAt: z.string(),
          discount: Discount.nullable(),
          discountedTicketTypeId: z.string().nullable(),
        }),
        z.object({ outcome: z.literal('already_registered'), registrationId: z.string() }),
        z.object({ outcome: z.literal('attendee_registered'), seat: z.int() }),
        z.object({
          outcome: z.literal('refused'),
          reason: z.enum([
            'NOT_FOUND',
            'EVENT_ARCHIVED',
            'NOT_ON_SALE',
            'CODE_INVALID',
            'CODE_FITS_NOTHING',
            'SOLD_OUT',
            'NOT_REGISTERED',
            'CLOSED',
          ]),
          /** The first seat that it is about, where it is about one. */
          seat: z.int().nullable(),
        }),
      ]),
    },
  },
});

export const fulfilClaim = operation({
  method: 'POST',
  url: '/internal/claims/fulfil',
  config: {
    ...config,
    operationId: 'fulfilClaim',
    summary: 'Turn a claim into registrations, once',
  },
  schema: {
    body: Claim.extend({
      /** Take the seats again, in the same decision, if the claim has run out. */
      retake: z.boolean(),
    }),
    response: {
      200: z.discriminatedUnion('outcome', [
        z.object({
          outcome: z.literal('fulfilled'),
          /** One entry a seat: its registration, and whether it is the order's or was there before. */
          seats: z.array(z.object({ registrationId: z.string(), made: z.boolean() })),
          addonRegistrationId: z.string().nullable(),
        }),
        z.object({ outcome: z.literal('gone') }),
        z.object({ outcome: z.literal('released') }),
      ]),
    },
  },
});

export const releaseClaim = operation({
  method: 'POST',
  url: '/internal/claims/release',
  config: {
    ...config,
    operationId: 'releaseClaim',
    summary: 'Give a claim back; one that has not arrived yet will find itself released',
  },
  schema: {
    body: z.object({ ...scope, claimId: z.string() }),
    response: {
      200: z.object({ outcome: z.enum(['released', 'expired', 'fulfilled']) }),
    },
  },
});

export const revokeOrder = operation({
  method: 'POST',
  url: '/internal/claims/revoke',
  config: {
    ...config,
    operationId: 'revokeOrder',
    summary: 'Cancel what one order has made, and only that',
  },
  schema: {
    body: z.object({ ...scope, orderId: z.string() }),
    response: { 200: z.object({ cancelled: z.array(z.string()) }) },
  },
});

export const readBadge = operation({
  method: 'POST',
  url: '/internal/badges/read',
  config: {
    ...config,
    operationId: 'readBadge',
    summary: 'The registration behind a badge, with its effective perks',
  },
  schema: {
    body: z.object({
      ...scope,
      registrationId: z.string().optional(),
      checkinCode: z.string().optional(),
    }),
    response: {
      200: z.object({
        registration: Registration.pick({ id: true, eventId: true, checkinCode: true }).extend({
          status: z.enum(registrationStatuses),
          version: z.int(),
        }),
        perkIds: z.array(z.string()),
      }),
    },
  },
});
