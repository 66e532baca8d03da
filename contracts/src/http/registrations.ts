import { z } from 'zod';
import { operation } from '../operation.ts';
import { EventPath } from './events.ts';
import {
  acceptsTicketTypeId,
  email,
  emailFilter,
  id,
  idFilter,
  instantFilter,
  ListQuery,
  line,
  listOf,
  name,
  nullIsAbsent,
  statusFilter,
  text,
  timestampOut,
  updatedSince,
} from './fields.ts';
import { formResponses } from './form-responses.ts';

export const registrationStatuses = [
  'pending',
  'confirmed',
  'waitlisted',
  'rejected',
  'cancelled',
] as const;
export type RegistrationStatus = (typeof registrationStatuses)[number];

export const registrationKinds = ['attendee', 'speaker', 'exhibitor'] as const;

export const Registration = z
  .object({
    id: id('reg'),
    eventId: id('evt'),
    email: z.string().meta({ example: 'ada@example.com' }),
    name: z.string().nullable().meta({ example: 'Ada Lovelace' }),
    status: z.enum(registrationStatuses).meta({ example: 'confirmed' }),
    type: z.enum(registrationKinds),
    registrationTypeId: id('tt').nullable(),
    redemptionCodeId: id('code')
      .nullable()
      .meta({ description: 'The redemption code that the registration uses.', example: null }),
    orderId: id('ord').nullable().meta({
      description:
        'The order that created the registration. After its full refund, another order that lists the registration.',
      example: null,
    }),
    attendeeId: id('att'),
    contactId: id('con'),
    checkinCode: z
      .string()
      .meta({ description: 'The code on the badge.', example: 'CHK-7D2M9QK4X1T8VBNA' }),
    registeredAt: timestampOut(),
    cancelledAt: timestampOut().nullable().meta({ example: null }),
    rejectionReason: z.string().nullable().meta({ example: null }),
    responses: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'The answers that were sent with the registration, or with the order that created it.',
      example: null,
    }),
    offerExpiresAt: timestampOut()
      .nullable()
      .meta({
        description:
          'While the registration is waitlisted and a seat is offered to it: when the offer ends. An order for this ' +
          'email takes the seat, and its payment confirms the registration.',
        example: null,
      }),
    offersMissed: z.int().meta({
      description:
        'How many offers have ended without an order. Each one puts the registration at the end of the waitlist.',
      example: 0,
    }),
  })
  .meta({ id: 'Registration' });

export const CreateRegistration = acceptsTicketTypeId(
  z.object({
    email: email(),
    name: name().nullable().optional(),
    registrationTypeId: nullIsAbsent(text({ min: 1, max: 200 })).meta({
      description: 'Required when the event has ticket types.',
    }),
    redemptionCode: nullIsAbsent(text({ min: 1, max: 200 })),
    responses: nullIsAbsent(formResponses()).meta({
      description:
        "Answers to the event's registration form, by question id. If they are sent, all required questions must be " +
        'answered; without them no question is checked.',
      example: { diet: 'vegan' },
    }),
  }),
).meta({
  id: 'CreateRegistration',
  example: {
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    registrationTypeId: 'tt_01k8zq4m3ne7rbj5t2xw9vd6ah',
  },
});

/** What a caller has read of a registration before it changes it. */
export const ExpectedRegistration = acceptsTicketTypeId(
  z.object({
    status: z.enum(registrationStatuses).optional(),
    email: z.string().optional(),
    name: z.string().nullable().optional(),
    registrationTypeId: z.string().nullable().optional(),
    responses: formResponses().nullable().optional(),
  }),
);

export type ExpectedRegistration = z.output<typeof ExpectedRegistration>;

/** What the request expects of the registration, as a field of the request. */
export const expected = () =>
  nullIsAbsent(ExpectedRegistration).meta({
    description:
      'What the caller has read before. If one of these fields has another value by now, the registration does not change.',
    example: { name: 'Ada Lovelace' },
  });

/** The body of a change that needs no other field. */
const ExpectingBody = z
  .object({ expected: expected() })
  .optional()
  .meta({ description: 'Optional.', example: { expected: { status: 'pending' } } });

export const UpdateRegistration = acceptsTicketTypeId(
  z.object({
    email: email()
      .optional()
      .meta({
        description:
          'Another email transfers the registration to that person: the badge code is replaced at once. Send the ' +
          'name, too, if it changes.',
        example: 'grace@example.com',
      }),
    name: name().nullable().optional(),
    registrationTypeId: nullIsAbsent(text({ min: 1, max: 200 })).meta({
      description: 'A ticket type that costs no more than what was paid for the registration.',
    }),
    responses: nullIsAbsent(formResponses()).meta({
      description: 'All answers of the person: they replace the former ones.',
      example: { diet: 'vegan' },
    }),
    expected: expected(),
  }),
).meta({
  id: 'UpdateRegistration',
  example: { email: 'grace@example.com', name: 'Grace Hopper' },
});

const ChangedRegistration = Registration.extend({
  checkedIn: z.boolean().nullable().meta({
    description:
      'Whether a badge of the registration was let in at a door. After a transfer, that was the badge of the former person. Null if the doors did not respond.',
    example: false,
  }),
});

const RegistrationResult = z.object({
  registration: Registration,
  created: z.boolean().meta({ example: true }),
});

export const PerkSource = z.object({
  type: z.enum(['registration_type', 'addon', 'redemption_code', 'grant']),
  id: z
    .string()
    .meta({ description: 'The id of the source; for a grant, the id of the registration.' }),
});

export type PerkSource = z.infer<typeof PerkSource>;

export const EffectivePerk = z
  .object({
    id: id('perk'),
    name: z.string(),
    description: z.string().nullable(),
    sources: z.array(PerkSource).meta({ description: 'What delivers the perk, one or more.' }),
  })
  .meta({ id: 'EffectivePerk' });

export type EffectivePerk = z.infer<typeof EffectivePerk>;

const RegistrationPath = EventPath.extend({ id: id('reg') });

const config = { tag: 'Registrations', owner: 'registration', audience: 'api' } as const;

export const listRegistrations = operation({
  method: 'GET',
  url: '/v1/events/:eventId/registrations',
  config: {
    ...config,
    operationId: 'listRegistrations',
    permission: 'people.read',
    summary: 'List registrations',
    description:
      'Newest first, or with `updatedSince` oldest change first. A registration also changes when its ' +
      'add-ons or perks change.',
  },
  schema: {
    params: EventPath,
    querystring: acceptsTicketTypeId(
      ListQuery.extend({
        status: statusFilter(registrationStatuses),
        email: emailFilter(),
        registrationTypeId: idFilter('Only registrations of this ticket type.'),
        redemptionCodeId: idFilter('Only registrations with this redemption code.'),
        registeredFrom: instantFilter('Only registrations of this instant or later.'),
        registeredBefore: instantFilter('Only registrations before this instant.'),
        updatedSince: updatedSince(),
      }),
    ),
    response: { 200: listOf('registrations', Registration) },
  },
});

export const createRegistration = operation({
  method: 'POST',
  url: '/v1/events/:eventId/registrations',
  config: {
    ...config,
    operationId: 'createRegistration',
    newRecord: {
      type: 'attendee',
      orderId: null,
      cancelledAt: null,
      rejectionReason: null,
      offerExpiresAt: null,
      offersMissed: 0,
    },
    permission: 'register',
    summary: 'Register a person',
    description:
      'Confirmed at once, waitlisted when the ticket type is full and has a waitlist, or pending when it requires ' +
      'approval. No payment is taken; to sell a ticket, place an order. A waitlisted registration is confirmed when a ' +
      'seat becomes available; if the ticket type has a price, the seat is offered to it (`offerExpiresAt`). An email that is already registered returns ' +
      '200 with `created: false`.',
    preconditions: ['EVENT_ARCHIVED', 'NOT_ON_SALE', 'CODE_INVALID', 'SOLD_OUT'],
  },
  schema: {
    params: EventPath,
    body: CreateRegistration,
    response: { 200: RegistrationResult, 201: RegistrationResult },
  },
});

export const getRegistration = operation({
  method: 'GET',
  url: '/v1/events/:eventId/registrations/:id',
  config: {
    ...config,
    operationId: 'getRegistration',
    permission: 'people.read',
    summary: 'Read one registration',
  },
  schema: { params: RegistrationPath, response: { 200: Registration } },
});

export const updateRegistration = operation({
  method: 'PATCH',
  url: '/v1/events/:eventId/registrations/:id',
  config: {
    ...config,
    operationId: 'updateRegistration',
    recordId: 'Registration',
    beyondRecord: { checkedIn: ['createCheckin', 'undoCheckin'] },
    permission: 'people.write',
    summary: 'Change the name, the email, the ticket type or the answers of a registration',
    description:
      'Omitted fields keep their values, and so do order, redemption code and granted perks. Another email ' +
      'transfers the registration: the former badge no longer checks in. Its check-ins stay: with `checkedIn: true` the first scan ' +
      'of the new badge at the same door is `alreadyCheckedIn` with `badgeReplaced`, or a 412 if an operator has set this. ' +
      'Another ticket type must cost no more than ' +
      'what its order paid for it, or without an order no more than the present one; no money is moved. A confirmed registration takes one of its available seats, a waitlisted ' +
      'one goes to the end of its waitlist, and the former seat goes to the waitlist of the former ticket type. The ' +
      'change counts as the approval of a ticket type that requires one. A pending registration that moves to a ticket ' +
      'type without approval is admitted as by an approval; between types with approval it stays pending. With `expected`, nothing is overwritten that ' +
      'another caller has changed in the meantime.',
    preconditions: [
      'EVENT_ARCHIVED',
      'REGISTRATION_CLOSED',
      'REGISTRATION_CHANGED',
      'OFFER_TAKEN',
      'ATTENDEE_REGISTERED',
      'NOT_ON_SALE',
      'PRICE_HIGHER',
      'SOLD_OUT',
    ],
  },
  schema: {
    params: RegistrationPath,
    body: UpdateRegistration,
    response: { 200: ChangedRegistration },
  },
});

export const approveRegistration = operation({
  method: 'POST',
  url: '/v1/events/:eventId/registrations/:id/approve',
  config: {
    ...config,
    operationId: 'approveRegistration',
    sets: ['status'],
    permission: 'people.write',
    summary: 'Approve a pending registration',
    description:
      'Confirmed, or waitlisted when the ticket type is full and has a waitlist. If the ticket type has a price, the ' +
      'registration is waitlisted and gets an offer as soon as a seat is available.',
    preconditions: ['EVENT_ARCHIVED', 'REGISTRATION_CHANGED', 'NOT_PENDING', 'SOLD_OUT'],
  },
  schema: { params: RegistrationPath, body: ExpectingBody, response: { 200: Registration } },
});

export const rejectRegistration = operation({
  method: 'POST',
  url: '/v1/events/:eventId/registrations/:id/reject',
  config: {
    ...config,
    operationId: 'rejectRegistration',
    sets: ['status', 'rejectionReason'],
    permission: 'people.write',
    summary: 'Reject a pending registration',
    preconditions: ['REGISTRATION_CHANGED', 'NOT_PENDING'],
  },
  schema: {
    params: RegistrationPath,
    body: z
      .object({
        reason: line({ min: 0, max: 200 })
          .nullable()
          .optional()
          .meta({ example: 'The places for students are taken.' }),
        expected: expected(),
      })
      .optional()
      .meta({ description: 'Optional.' }),
    response: { 200: Registration },
  },
});

export const cancelRegistration = operation({
  method: 'POST',
  url: '/v1/events/:eventId/registrations/:id/cancel',
  config: {
    ...config,
    operationId: 'cancelRegistration',
    sets: ['status', 'cancelledAt'],
    permission: 'people.write',
    summary: 'Cancel a registration',
    description:
      'Releases its seat and its use of a redemption code. A cancelled or rejected registration does not change. Its ' +
      'check-ins stay, because the person may be inside; undo them (`undoCheckin`) if not.',
    preconditions: ['REGISTRATION_CHANGED'],
  },
  schema: { params: RegistrationPath, body: ExpectingBody, response: { 200: Registration } },
});

export const getRegistrationPerks = operation({
  method: 'GET',
  url: '/v1/events/:eventId/registrations/:id/perks',
  config: {
    ...config,
    operationId: 'getRegistrationPerks',
    permission: 'people.read',
    summary: 'Read the perks of a registration',
    description:
      'The perks of its ticket type, its add-ons and its redemption code, and those granted to it, each once.',
  },
  schema: {
    params: RegistrationPath,
    response: { 200: z.object({ perks: z.array(EffectivePerk) }) },
  },
});

export const badgeFormats = ['svg', 'pdf', 'pkpass'] as const;
export type BadgeFormat = (typeof badgeFormats)[number];

/** The media type of each format. */
export const badgeMediaTypes: Record<BadgeFormat, string> = {
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  pkpass: 'application/vnd.apple.pkpass',
};

/** The content of a file, as the reference describes it. */
export const fileContent = () => z.string().meta({ format: 'binary' });

export const getRegistrationBadge = operation({
  method: 'GET',
  url: '/v1/events/:eventId/registrations/:id/badge',
  config: {
    ...config,
    operationId: 'getRegistrationBadge',
    permission: 'badges',
    summary: 'Read the badge of a registration as a file',
    description:
      'The badge has the size A6: the name of the event, the name of the person, the ticket type, and the badge code as a QR code and as text. ' +
      'The answer to a question of the form with the id `company` is below the name. Without a name, the badge leaves ' +
      'room for it. Only a confirmed registration has a badge, because no other one checks in.',
    files: Object.values(badgeMediaTypes),
    preconditions: ['NOT_CONFIRMED', 'WALLET_UNAVAILABLE'],
  },
  schema: {
    params: RegistrationPath,
    querystring: z.object({
      format: z.enum(badgeFormats).default('svg').meta({
        description:
          '`svg` for screens, `pdf` for printers, `pkpass` for the wallet of a phone if the platform has a certificate for it.',
        example: 'pdf',
      }),
    }),
    response: { 200: fileContent() },
  },
});
