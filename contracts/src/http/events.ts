import { z } from 'zod';
import { operation } from '../operation.ts';
import {
  admissionTimes,
  admissionTimesInput,
  country,
  currency,
  id,
  ListQuery,
  limits,
  listOf,
  name,
  nullIsAbsent,
  statusFilter,
  text,
  timestamp,
  timestampOut,
  timezone,
  updatedSince,
} from './fields.ts';

export const eventStatuses = ['draft', 'published', 'archived'] as const;
export type EventStatus = (typeof eventStatuses)[number];

/**
 * What the cancellation of an event pays back: the whole price, what the policy of each order
 * promises, or nothing.
 */
export const cancellationRefunds = ['full', 'policy', 'none'] as const;
export type CancellationRefund = (typeof cancellationRefunds)[number];

/** Whether people come to the event or attend it online; tax differs. */
export const attendanceModes = ['in_person', 'online'] as const;
export type AttendanceMode = (typeof attendanceModes)[number];

export const CapacityGroup = z
  .object({
    id: id('cgp'),
    name: z.string().meta({ example: 'Main hall' }),
    capacity: z.int().meta({ example: 300 }),
  })
  .meta({ id: 'CapacityGroup' });
export type CapacityGroup = z.infer<typeof CapacityGroup>;

const maxCapacityGroups = 50;

/** All groups: one without an id is the existing one of its name, or a new one. */
const capacityGroupsInput = z
  .array(
    z.object({
      id: nullIsAbsent(text({ min: 1, max: 200 })).meta({
        example: 'cgp_01k8zq4m3ne7rbj5t2xw9vd6ah',
      }),
      name: name().meta({ example: 'Main hall' }),
      capacity: z.int().min(1).max(limits.capacity).meta({ example: 300 }),
    }),
  )
  .max(maxCapacityGroups);

export const Event = z
  .object({
    id: id('evt'),
    publicId: z.string().meta({
      description: 'Readable and unique, for links. Paths of this API use `id`.',
      example: 'summit-2027-k3v9q2',
    }),
    name: z.string().meta({ example: 'Summit 2027' }),
    status: z.enum(eventStatuses),
    startsAt: timestampOut().nullable(),
    endsAt: timestampOut('2027-05-12T15:00:00.000Z').nullable(),
    ...admissionTimes,
    timezone: z.string().meta({ example: 'Europe/Berlin' }),
    currency: z.string().meta({ example: 'EUR' }),
    attendanceMode: z.enum(attendanceModes).meta({
      description:
        'Tax is due where an `in_person` event takes place, and for an `online` one where the buyer is.',
    }),
    country: z.string().nullable().meta({
      description:
        'ISO 3166-1 alpha-2 code of where it takes place; of an `online` event, where its seller is taxed.',
      example: 'DE',
    }),
    features: z.array(z.string().meta({ example: 'livestream' })),
    capacityGroups: z.array(CapacityGroup).meta({
      description:
        'Capacities that ticket types share: a seat of a type in a group counts for both. `capacityGroupId` of a type names its group.',
    }),
    publishedAt: timestampOut().nullable(),
    cancelledAt: timestampOut('2027-05-03T08:30:00.000Z').nullable().meta({
      description:
        'When an operator cancelled the event. It is `archived` from then on, its doors admit nobody, and its registrations are cancelled.',
    }),
    createdAt: timestampOut(),
  })
  .meta({ id: 'Event' });

export const CreateEvent = z
  .object({
    name: name().meta({ example: 'Summit 2027' }),
    timezone: timezone(),
    startsAt: timestamp().nullable().optional(),
    endsAt: timestamp('2027-05-12T17:00:00+02:00').nullable().optional(),
    admissionOpensAt: admissionTimesInput.admissionOpensAt.optional(),
    admissionClosesAt: admissionTimesInput.admissionClosesAt.optional(),
    currency: currency().optional().meta({
      description: 'ISO 4217 code. Without it, the default of the business unit.',
      example: 'EUR',
    }),
    attendanceMode: z.enum(attendanceModes).optional(),
    country: country().nullable().optional(),
  })
  .meta({ id: 'CreateEvent' });

export const UpdateEvent = z
  .object({
    name: name().optional(),
    startsAt: timestamp().nullable().optional(),
    endsAt: timestamp('2027-05-12T17:00:00+02:00').nullable().optional(),
    admissionOpensAt: admissionTimesInput.admissionOpensAt.optional(),
    admissionClosesAt: admissionTimesInput.admissionClosesAt.optional(),
    timezone: timezone().optional(),
    status: z.enum(eventStatuses).optional(),
    currency: currency().optional(),
    attendanceMode: z.enum(attendanceModes).optional(),
    country: country().nullable().optional(),
    capacityGroups: capacityGroupsInput.optional().meta({
      description:
        'All capacity groups; one that is left out is removed. An entry without `id` is the existing group of that name, or a new one.',
    }),
    confirmAgendaReset: nullIsAbsent(z.boolean()).meta({
      description: 'Must be true in a request that changes the start date.',
    }),
  })
  .meta({ id: 'UpdateEvent', example: { name: 'Summit 2027 in Berlin', status: 'published' } });

/** The path of everything that belongs to one event. */
export const EventPath = z.object({ eventId: id('evt') });

const tag = 'Events';

export const listEvents = operation({
  method: 'GET',
  url: '/v1/events',
  config: {
    operationId: 'listEvents',
    permission: 'catalog.read',
    readsOwnEvents: true,
    tag,
    summary: 'List events',
    description: 'Newest first, or with `updatedSince` oldest change first.',
    owner: 'catalog',
    audience: 'api',
  },
  schema: {
    querystring: ListQuery.extend({
      status: statusFilter(eventStatuses),
      updatedSince: updatedSince(),
    }),
    response: { 200: listOf('events', Event) },
  },
});

export const createEvent = operation({
  method: 'POST',
  url: '/v1/events',
  config: {
    operationId: 'createEvent',
    newRecord: {
      status: 'draft',
      features: [],
      capacityGroups: [],
      publishedAt: null,
      cancelledAt: null,
    },
    permission: 'catalog.write',
    tag,
    summary: 'Create a draft event',
    description: 'Without a currency, it has the default one of the business unit.',
    owner: 'catalog',
    audience: 'api',
  },
  schema: { body: CreateEvent, response: { 201: Event } },
});

export const getEvent = operation({
  method: 'GET',
  url: '/v1/events/:eventId',
  config: {
    operationId: 'getEvent',
    permission: 'catalog.read',
    tag,
    summary: 'Read one event',
    owner: 'catalog',
    audience: 'api',
  },
  schema: { params: EventPath, response: { 200: Event } },
});

export const updateEvent = operation({
  method: 'PATCH',
  url: '/v1/events/:eventId',
  config: {
    operationId: 'updateEvent',
    sets: ['publishedAt'],
    permission: 'catalog.write',
    tag,
    summary: 'Update, publish or archive an event',
    description:
      'Omitted fields keep their values. Publishing requires a start. Changing the date of the start, ' +
      'in the time zone of the event, clears the agenda and must be confirmed.',
    owner: 'catalog',
    audience: 'api',
    preconditions: ['CURRENCY_LOCKED', 'AGENDA_RESET_UNCONFIRMED', 'CAPACITY_GROUP_IN_USE'],
  },
  schema: { params: EventPath, body: UpdateEvent, response: { 200: Event } },
});

export const archiveEvent = operation({
  method: 'POST',
  url: '/v1/events/:eventId/archive',
  config: {
    operationId: 'archiveEvent',
    sets: ['status'],
    permission: 'catalog.write',
    tag,
    summary: 'Archive an event',
    description: 'Permanent. Archiving an archived event returns it unchanged.',
    owner: 'catalog',
    audience: 'api',
  },
  schema: { params: EventPath, response: { 200: Event } },
});
