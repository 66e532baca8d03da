import { z } from 'zod';
import { normalEmail } from '../email.ts';
import { email, name } from '../http/fields.ts';
import { formResponses } from '../http/form-responses.ts';
import { Discount } from '../http/redemption-codes.ts';
import { registrationStatuses } from '../http/registrations.ts';
import { operation } from '../operation.ts';
import { reference, scopeFields } from './scope.ts';

const config = { tag: 'Internal', owner: 'registration', audience: 'service' } as const;

const person = { email: email(), name: name().nullable() };

const Seat = z.object({
  ticketTypeId: reference(),
  /** Null for an open seat. */
  email: email().nullable(),
  name: name().nullable(),
  /** Redemption codes do not apply to a seat of a bundle. */
  inBundle: z.boolean().default(false),
  /** What the order pays for the seat. Missing before its price is known. */
  amount: z.int().min(0).optional(),
});

/** One entry per seat, in the order of the order's lines. Each person has one seat at most. */
const seats = z
  .array(Seat)
  .max(100)
  .check((ctx) => {
    const emails = ctx.value.map((seat) => seat.email && normalEmail(seat.email));
    const second = emails.findIndex((each, index) => each && emails.indexOf(each) < index);
    if (second < 0) return;
    const message = 'has a seat already';
    ctx.issues.push({ code: 'custom', message, path: [second, 'email'], input: emails[second] });
  });

/**
 * The complete request of an order. Each step sends it, so that a step succeeds without an earlier
 * one.
 */
export const ReservationInput = z.object({
  ...scopeFields,
  /** The order's id: repeated requests refer to the same reservation. */
  reservationId: reference(),
  buyer: z.object(person),
  seats,
  /** Add-ons that join the buyer's registration, unless `addons` says otherwise. */
  addonIds: z.array(reference()).max(2000),
  /**
   * Who receives each add-on: the registrations of these emails, or without emails the buyer's. A
   * missing list means the buyer's for all of `addonIds`.
   */
  addons: z
    .array(z.object({ addonId: reference(), emails: z.array(email()).max(100) }))
    .max(2000)
    .optional(),
  /**
   * How many units of each add-on the order has, one entry per line. An entry of a bundle is not
   * judged by the minimum of the add-on. A missing list means one unit of each of `addonIds`.
   */
  addonUnits: z
    .array(
      z.object({
        addonId: reference(),
        quantity: z.int().min(1).max(10_000),
        inBundle: z.boolean(),
      }),
    )
    .max(2000)
    .optional(),
  redemptionCode: reference().nullable(),
});

export type ReservationInput = z.infer<typeof ReservationInput>;

/**
 * Why a ticket type cannot be sold in an order now; `requires_approval` only in orders that are not
 * free.
 */
export const saleBlocks = [
  'draft',
  'closed',
  'archived',
  'not_open_yet',
  'sale_ended',
  'requires_approval',
] as const;
export type SaleBlock = (typeof saleBlocks)[number];

const reserved = [
  z.object({
    outcome: z.literal('reserved'),
    expiresAt: z.string(),
    /** The redemption code as it is stored. */
    redemptionCode: z.string().nullable(),
    discount: Discount.nullable(),
    discountedTicketTypeId: z.string().nullable(),
    /**
     * The first seat that requires approval and so is not reserved. The caller releases a
     * reservation with such a seat if the order is not free.
     */
    approvalSeat: z.int().nullable(),
    /** The active registration of the buyer in the event. */
    buyerRegistrationId: z.string().nullable(),
  }),
  z.object({
    outcome: z.literal('already_registered'),
    registrationId: z.string(),
    registrationStatus: z.enum(registrationStatuses),
    /** The open order that has taken its offer. */
    openOrderId: z.string().nullable(),
  }),
  z.object({ outcome: z.literal('attendee_registered'), seat: z.int() }),
] as const;

const rejected = <Reason extends string, Details extends z.ZodRawShape>(
  reason: Reason,
  details: Details,
) => z.object({ outcome: z.literal('refused'), reason: z.literal(reason), ...details });

/** The first seat or the first entry of `addonUnits` of an item with a limit per order. */
const limitedItem = { seat: z.int().optional(), unit: z.int().optional() };

/**
 * Why no seat was reserved. `seat` is the index of the first seat that the reason concerns, `unit`
 * that of the first entry of `addonUnits`.
 */
const Rejection = z.discriminatedUnion('reason', [
  rejected('NOT_FOUND', { seat: z.int() }),
  rejected('EVENT_ARCHIVED', {}),
  rejected('NOT_ON_SALE', { seat: z.int(), block: z.enum(saleBlocks) }),
  rejected('ADDON_NOT_ON_SALE', { unit: z.int(), block: z.enum(['not_open_yet', 'sale_ended']) }),
  /**
   * `addon` and `attendee` are indexes of `addons` and its emails; without them it is the buyer.
   */
  rejected('NOT_REGISTERED', { addon: z.int().optional(), attendee: z.int().optional() }),
  rejected('CODE_INVALID', {}),
  rejected('CODE_FITS_NOTHING', {}),
  rejected('CODE_USES_EXCEEDED', { usesLeft: z.int(), usesRequested: z.int() }),
  rejected('TOO_MANY_HOLDS', { limit: z.int() }),
  rejected('TOO_MANY_SEATS', { limit: z.int(), seatsLeft: z.int() }),
  rejected('SOLD_OUT', { seat: z.int(), seatsLeft: z.int(), seatsRequested: z.int() }),
  rejected('ADDON_SOLD_OUT', { unit: z.int(), unitsLeft: z.int(), unitsRequested: z.int() }),
  rejected('BELOW_ORDER_MINIMUM', { ...limitedItem, limit: z.int(), requested: z.int() }),
  rejected('ABOVE_ORDER_MAXIMUM', { ...limitedItem, limit: z.int(), requested: z.int() }),
  rejected('CLOSED', {}),
]);

export const reserveSeats = operation({
  method: 'POST',
  url: '/internal/reservations',
  config: { ...config, operationId: 'reserveSeats', summary: 'Reserve seats, all of them or none' },
  schema: {
    body: ReservationInput.extend({
      /**
       * What is known of the price before the discount of a code. A type that requires approval is
       * rejected in an order that is `charged`, except for attendees with an offer.
       */
      price: z.enum(['free', 'charged', 'unknown']),
    }),
    response: { 200: z.discriminatedUnion('outcome', [...reserved, Rejection]) },
  },
});

export const checkReservation = operation({
  method: 'POST',
  url: '/internal/reservations/check',
  config: {
    ...config,
    operationId: 'checkReservation',
    summary:
      'Check that no attendee of a reservation has registered elsewhere or cancelled since, and that its add-ons have recipients',
  },
  schema: {
    body: ReservationInput,
    response: {
      200: z.discriminatedUnion('outcome', [
        z.object({ outcome: z.literal('ok') }),
        /** `seat` is the index of the first seat whose attendee is registered. */
        z.object({ outcome: z.literal('attendee_registered'), seat: z.int() }),
        /**
         * As in the rejection `NOT_REGISTERED`; or `seat` is the index of the first seat that was
         * offered to a registration which is not active any more.
         */
        z.object({
          outcome: z.literal('not_registered'),
          seat: z.int().optional(),
          addon: z.int().optional(),
          attendee: z.int().optional(),
        }),
      ]),
    },
  },
});

export const findUndeliverable = operation({
  method: 'POST',
  url: '/internal/reservations/find-undeliverable',
  config: {
    ...config,
    operationId: 'findUndeliverable',
    summary: 'Find the reservations of an event that `checkReservation` would not accept',
  },
  schema: {
    body: z.object({
      ...scopeFields,
      reservations: z
        .array(ReservationInput.omit({ businessUnitId: true, eventId: true }))
        .min(1)
        .max(100),
    }),
    response: { 200: z.object({ reservationIds: z.array(z.string()) }) },
  },
});

export const fulfilReservation = operation({
  method: 'POST',
  url: '/internal/reservations/fulfil',
  config: {
    ...config,
    operationId: 'fulfilReservation',
    summary: 'Turn a reservation into registrations, once',
  },
  schema: {
    body: ReservationInput.extend({
      /** Reserve the seats again, in the same decision, if the reservation has expired. */
      reacquire: z.boolean(),
      /**
       * The answers of the order to the form, which its registrations get. Missing in a request of
       * the previous release.
       */
      responses: formResponses().nullable().optional(),
    }),
    response: {
      200: z.discriminatedUnion('outcome', [
        z.object({
          outcome: z.literal('fulfilled'),
          /**
           * One entry per seat: its registration, and whether the order created it or it existed
           * before. `status` is that of the fulfilment, missing in one of the previous release. An
           * open seat has its own id in place of a registration, and no status; so it has where it
           * keeps add-ons for its attendee.
           */
          seats: z.array(
            z.object({
              registrationId: z.string(),
              created: z.boolean(),
              status: z.enum(registrationStatuses).optional(),
            }),
          ),
          addonRegistrationId: z.string().nullable(),
          /**
           * One entry per entry of `addons`, with the registration of each of its emails, or of the
           * buyer; null where that person is not registered any more. Missing without `addons`.
           */
          addonRegistrationIds: z.array(z.array(z.string().nullable())).optional(),
        }),
        z.object({ outcome: z.literal('unfulfillable') }),
        z.object({ outcome: z.literal('released') }),
      ]),
    },
  },
});

/** The registrations of a fulfilled reservation, seat by seat. */
export type Fulfilment = Extract<
  z.output<(typeof fulfilReservation.schema.response)[200]>,
  { outcome: 'fulfilled' }
>;

export const releaseReservation = operation({
  method: 'POST',
  url: '/internal/reservations/release',
  config: {
    ...config,
    operationId: 'releaseReservation',
    summary: 'Release a reservation; one that has not arrived yet is rejected when it arrives',
  },
  schema: {
    body: z.object({
      ...scopeFields,
      reservationId: reference(),
      /** Leave an active reservation, and let a fulfilment reacquire an expired one later. */
      onlyIfExpired: z.boolean().default(false),
    }),
    response: {
      200: z.object({ outcome: z.enum(['active', 'released', 'expired', 'fulfilled']) }),
    },
  },
});

/**
 * The active registrations that the order lists and another order has now, also of earlier calls.
 */
const handedOver = z.array(
  z.object({
    registrationId: z.string(),
    orderId: z.string(),
    ticketTypeId: z.string().nullable(),
  }),
);

export const revokeOrder = operation({
  method: 'POST',
  url: '/internal/reservations/revoke',
  config: {
    ...config,
    operationId: 'revokeOrder',
    summary:
      "Cancel the registrations of an order; one that another order lists becomes that order's",
  },
  schema: {
    body: z.object({ ...scopeFields, orderId: reference() }),
    response: {
      200: z.object({
        cancelled: z.array(z.string()),
        handedOver,
      }),
    },
  },
});

export const revokeSeats = operation({
  method: 'POST',
  url: '/internal/reservations/revoke-seats',
  config: {
    ...config,
    operationId: 'revokeSeats',
    summary:
      'Revoke seats of an order whose price is refunded, with their add-ons; the rest of the order stays',
  },
  schema: {
    body: z.object({
      ...scopeFields,
      orderId: reference(),
      /** The id of the registration of each seat, or of the seat itself if it is open. */
      registrationIds: z.array(reference()).min(1).max(100),
    }),
    response: {
      200: z.object({
        cancelled: z.array(z.string()),
        /** Missing in the response of the previous release. */
        handedOver: handedOver.optional(),
      }),
    },
  },
});

const UnitsOfRegistration = z.object({
  registrationId: reference(),
  addonId: reference(),
  quantity: z.int().min(0).max(10_000),
});

export const returnUnits = operation({
  method: 'POST',
  url: '/internal/reservations/return-units',
  config: {
    ...config,
    operationId: 'returnUnits',
    summary: 'Return units of add-ons of an order to the sale; repeated, it returns nothing more',
  },
  schema: {
    body: z.object({
      ...scopeFields,
      orderId: reference(),
      /** How many units of an add-on of this order a registration keeps. */
      units: z.array(UnitsOfRegistration).min(1).max(100),
    }),
    response: { 200: z.object({}) },
  },
});

/** The limit of a ticket type, and how many of its seats the order would have. */
const changedLimit = { ticketTypeId: z.string(), limit: z.int(), requested: z.int() };

/** `seat` is the index of the first seat that the reason concerns. */
const TypeRefusal = z.discriminatedUnion('reason', [
  rejected('NOT_ON_SALE', { seat: z.int(), block: z.enum(saleBlocks) }),
  rejected('SOLD_OUT', { seat: z.int() }),
  rejected('SEAT_CANCELLED', { seat: z.int() }),
  rejected('BELOW_ORDER_MINIMUM', changedLimit),
  rejected('ABOVE_ORDER_MAXIMUM', changedLimit),
  rejected('EVENT_ARCHIVED', {}),
  rejected('EVENT_ENDED', {}),
  /** An earlier call was refused. */
  rejected('CLOSED', {}),
]);

export type TypeRefusal = z.infer<typeof TypeRefusal>;

/** What a change of ticket types of seats of an order consists of. */
const typeChange = {
  ...scopeFields,
  orderId: reference(),
  /** Identifies the change: it is decided once. */
  changeId: reference(),
  seats: z
    .array(
      z.object({
        /** The registration of the seat, or the seat itself if it is open. */
        holderId: reference(),
        ticketTypeId: reference(),
        /** What is paid for the seat from now on. */
        amount: z.int().min(0),
      }),
    )
    .min(1)
    .max(100),
  /**
   * How many seats of the ticket types that its seats leave or get the order has, without those
   * that the change cancels. The previous release does not say it, and limits per order are not
   * judged.
   */
  counts: z
    .array(
      z.object({
        ticketTypeId: reference(),
        before: z.int().min(0),
        after: z.int().min(0),
        /** Whether bundles have all of them after the change: then no minimum applies. */
        isBundled: z.boolean(),
      }),
    )
    .max(200)
    .default([]),
};

export const holdSeatTypes = operation({
  method: 'POST',
  url: '/internal/reservations/hold-types',
  config: {
    ...config,
    operationId: 'holdSeatTypes',
    summary:
      'Hold the seats of a change of ticket types until it is paid, all of them or none; `changeSeatTypes` takes them',
  },
  schema: {
    body: z.object(typeChange),
    response: {
      200: z.discriminatedUnion('outcome', [
        z.object({ outcome: z.literal('held'), expiresAt: z.string() }),
        TypeRefusal,
        /** The order is lost in a restore and not created again. */
        z.object({ outcome: z.literal('unknown') }),
      ]),
    },
  },
});

export const changeSeatTypes = operation({
  method: 'POST',
  url: '/internal/reservations/change-types',
  config: {
    ...config,
    operationId: 'changeSeatTypes',
    summary:
      'Give seats of a fulfilled order other ticket types, all of them or none; repeated, it returns the first decision',
  },
  schema: {
    body: z.object({
      ...typeChange,
      /**
       * The change has happened before a restore. Seats that have ended meanwhile are left out, sale
       * rules are not judged, and a refusal is not stored.
       */
      again: z.boolean().default(false),
    }),
    response: {
      200: z.discriminatedUnion('outcome', [
        z.object({ outcome: z.literal('changed') }),
        TypeRefusal,
        /** The order is lost in a restore and not created again. */
        z.object({ outcome: z.literal('unknown') }),
      ]),
    },
  },
});

export type SeatTypesResult = z.output<(typeof changeSeatTypes.schema.response)[200]>;

export const assignSeat = operation({
  method: 'POST',
  url: '/internal/reservations/assign-seat',
  config: {
    ...config,
    operationId: 'assignReservedSeat',
    summary: 'Register a person on an open seat of a fulfilled order, once',
  },
  schema: {
    body: z.object({
      ...scopeFields,
      orderId: reference(),
      seatId: reference(),
      ...person,
      responses: formResponses().nullable(),
    }),
    response: {
      200: z.discriminatedUnion('outcome', [
        /** Also if an earlier call has assigned the seat to the same email with the same details. */
        z.object({
          outcome: z.literal('assigned'),
          registrationId: z.string(),
          status: z.enum(registrationStatuses),
        }),
        z.object({ outcome: z.literal('not_open'), seat: z.enum(['assigned', 'cancelled']) }),
        z.object({ outcome: z.literal('attendee_registered') }),
        z.object({ outcome: z.literal('event_archived') }),
        z.object({ outcome: z.literal('event_ended') }),
        z.object({
          outcome: z.literal('invalid_responses'),
          issues: z.array(z.object({ field: z.string(), issue: z.string(), code: z.string() })),
        }),
        z.object({ outcome: z.literal('unknown') }),
      ]),
    },
  },
});

export const listFulfilledReservations = operation({
  method: 'POST',
  url: '/internal/reservations/list-fulfilled',
  config: {
    ...config,
    operationId: 'listFulfilledReservations',
    summary: 'List the fulfilled reservations of orders, in the order of their ids',
  },
  schema: {
    body: z.object({
      /** Null for all business units. */
      businessUnitId: reference().nullable(),
      /** Only reservations with a greater id. */
      after: z.string().max(200),
      limit: z.int().min(1).max(1000),
    }),
    response: {
      200: z.object({
        reservations: z.array(
          z.object({
            ...scopeFields,
            orderId: z.string(),
            /** The active registrations of the order, and its open seats. */
            registrationIds: z.array(z.string()),
            /**
             * The units of add-ons that its active registrations have from it. Missing in the
             * response of the previous release.
             */
            units: z.array(UnitsOfRegistration).optional(),
            /** Its changes of ticket types that have happened. Missing there, too. */
            typeChanges: z.array(z.string()).optional(),
          }),
        ),
      }),
    },
  },
});
