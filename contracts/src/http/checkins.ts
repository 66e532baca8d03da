import { z } from 'zod';
import { operation } from '../operation.ts';
import { EventPath } from './events.ts';
import {
  badgeCode,
  id,
  idFilter,
  ListQuery,
  line,
  listOf,
  nullIsAbsent,
  nullIsDefault,
  requireField,
  text,
  timestampOut,
  wholeNumber,
} from './fields.ts';
import { Registration } from './registrations.ts';

/** The subject of a check-in: the event itself, a session of its agenda, or a venue. */
export const subjectTypes = ['event', 'session', 'venue'] as const;
export type SubjectType = (typeof subjectTypes)[number];

export const checkinMethods = ['scan', 'manual'] as const;

export const Checkin = z
  .object({
    id: id('chk'),
    eventId: id('evt'),
    registrationId: id('reg'),
    subjectType: z.enum(subjectTypes),
    subjectId: z.string().meta({
      description: 'The id of the session or venue, or of the event for its own door.',
      example: 'evt_01k8zq4m3ne7rbj5t2xw9vd6ah',
    }),
    method: z.enum(checkinMethods),
    checkedInAt: timestampOut().meta({
      description:
        'When the person passed the door. For a check-in that a device has reported later, the time of its scan.',
    }),
    scannedAt: timestampOut().nullable().meta({
      description:
        'The time of the scan by the clock of the device that reported it. Null for a check-in that was decided online.',
      example: null,
    }),
    deviceId: z.string().nullable().meta({
      description: 'The device that reported it. Null for a check-in that no device has reported.',
      example: null,
    }),
    overruled: z.boolean().meta({
      description:
        'Whether a device has let the person in although the registration was not confirmed, the gate was closed or the ' +
        'door did not exist any more. The person is inside.',
      example: false,
    }),
    badgeReplaced: z.boolean().meta({
      description:
        'Whether the badge that was let in was replaced since: the registration was transferred to another person.',
      example: false,
    }),
    undoneAt: timestampOut().nullable().meta({
      description: 'Null, unless the check-in was undone. An undone check-in does not count.',
      example: null,
    }),
  })
  .meta({ id: 'Checkin' });

const reference = () => text({ min: 1, max: 200 });

/** Reports a missing badge, and a missing door of a session or a venue. */
export function requireBadgeAndDoor(
  ctx: z.core.ParsePayload<{
    registrationId?: string | undefined;
    checkinCode?: string | undefined;
    subjectType: SubjectType;
    subjectId?: string | undefined;
  }>,
): void {
  const { registrationId, checkinCode, subjectType, subjectId } = ctx.value;
  if (registrationId === undefined && checkinCode === undefined) {
    requireField(ctx, 'registrationId', 'is required, unless checkinCode is sent');
  }
  if (subjectType !== 'event' && subjectId === undefined) {
    requireField(ctx, 'subjectId', 'is required for a session or a venue');
  }
}

/** The fields of a scan that name the badge and the door. */
export const BadgeAndDoor = {
  registrationId: nullIsAbsent(reference()).meta({
    description:
      'Required without `checkinCode`. If both are sent, they must belong to the same registration.',
  }),
  checkinCode: nullIsAbsent(badgeCode()).meta({
    description: 'The code on the badge. Case does not matter.',
    example: 'CHK-7D2M9QK4X1T8VBNA',
  }),
  subjectType: z.enum(subjectTypes),
  subjectId: nullIsAbsent(reference()).meta({
    description: 'Required for `session` and `venue`.',
  }),
};

export const CreateCheckin = z
  .object({
    ...BadgeAndDoor,
    method: nullIsDefault(z.enum(checkinMethods), 'scan').meta({
      description: 'Whether the badge was scanned or entered by hand.',
    }),
  })
  .check(requireBadgeAndDoor)
  .meta({
    id: 'CreateCheckin',
    example: { registrationId: 'reg_01k8zq4m3ne7rbj5t2xw9vd6ah', subjectType: 'event' },
  });

/** The registration of a badge, as a door shows it. */
export const BadgeHolder = Registration.pick({
  id: true,
  name: true,
  registrationTypeId: true,
  status: true,
}).meta({
  id: 'BadgeHolder',
  description: 'Whose badge it is. It has no email, so that a screen at a door can show all of it.',
});

/** What is unusual about a check-in that was made nevertheless. */
export const checkinNotices = ['EVENT_NOT_PUBLISHED', 'OUTSIDE_EVENT_DAYS'] as const;
export type CheckinNotice = (typeof checkinNotices)[number];

export const checkinNotice = () =>
  z
    .enum(checkinNotices)
    .nullable()
    .meta({
      description:
        '`EVENT_NOT_PUBLISHED`: the event is a draft or archived. `OUTSIDE_EVENT_DAYS`: it is before the day on which the event ' +
        'starts or after the day on which it ends, in its time zone. Null if nothing is unusual.',
      example: null,
    });

const CheckinResult = z.object({
  checkin: Checkin,
  registration: BadgeHolder,
  alreadyCheckedIn: z.boolean().meta({ example: false }),
  notice: checkinNotice(),
});

const config = { tag: 'Check-ins', owner: 'onsite', audience: 'api' } as const;

export const listCheckins = operation({
  method: 'GET',
  url: '/v1/events/:eventId/checkins',
  config: {
    ...config,
    operationId: 'listCheckins',
    permission: 'checkins.read',
    summary: 'List check-ins',
    description:
      'Newest first, in the order in which they were recorded. Without `include`, undone check-ins are left out.',
  },
  schema: {
    params: EventPath,
    querystring: ListQuery.extend({
      subjectType: z
        .enum(subjectTypes)
        .optional()
        .meta({ description: 'Only check-ins at doors of this kind.' }),
      subjectId: idFilter('Only check-ins at the door of this session, venue or event.'),
      registrationId: idFilter('Only check-ins of this registration.'),
      include: z.enum(['undone']).optional().meta({ description: 'Undone check-ins, too.' }),
    }),
    response: { 200: listOf('checkins', Checkin) },
  },
});

const lastCheckinAt = timestampOut().nullable().meta({
  description: 'The last check-in, also if it was undone. Null before the first one.',
});

/** A door, with the name that a screen shows. */
export const NamedDoor = z.object({
  subjectType: z.enum(subjectTypes),
  subjectId: Checkin.shape.subjectId,
  name: z.string().nullable().meta({
    description:
      'The title of the session or the name of the venue. Null for the door of the event, and for a door that does not exist any more.',
    example: 'Main hall',
  }),
});

const count = (description: string, example: number) => z.int().meta({ description, example });

/** The numbers of check-ins and scans, of a door or of all doors. */
const counts = {
  checkedIn: count('Check-ins, without undone ones.', 112),
  overruled: count('Of these, people whom a device has let in against the rules.', 1),
  contested: count('Scans of badges that another device had let in at the same door.', 2),
  refused: count('Scans that devices have refused.', 3),
  admitted: count(
    'How many people may be inside at most: `checkedIn` and `contested`. A badge that was let in twice counts twice.',
    114,
  ),
};

/** The numbers of check-ins of an event, per door. */
export const CheckinSummary = z
  .object({
    ...counts,
    lastCheckinAt,
    doors: z.array(
      NamedDoor.extend({
        ...counts,
        lastCheckinAt,
      }),
    ),
  })
  .meta({ id: 'CheckinSummary' });

export const getCheckinSummary = operation({
  method: 'GET',
  url: '/v1/events/:eventId/checkins/summary',
  config: {
    ...config,
    operationId: 'getCheckinSummary',
    permission: ['doors', 'summary.read'],
    summary: 'Count check-ins per door',
    description:
      'Every door of the event, and every other one with check-ins. The numbers are exact. They count who was let in, so a ' +
      'person whose registration was cancelled afterwards counts until the check-in is undone. Send the `ETag` of the last ' +
      'response as `If-None-Match`: while nothing has changed, the response is a 304 without a body. With `wait` it comes ' +
      'when something changes, or when the time has passed.',
    mayWait: true,
    hasEtag: true,
  },
  schema: {
    params: EventPath,
    querystring: z.object({
      wait: wholeNumber(0, 5).optional().meta({
        description: 'Seconds to wait for a change, if `If-None-Match` names the present content.',
      }),
    }),
    response: { 200: CheckinSummary },
  },
});

export const getCheckin = operation({
  method: 'GET',
  url: '/v1/events/:eventId/checkins/:id',
  config: {
    ...config,
    operationId: 'getCheckin',
    permission: 'checkins.read',
    summary: 'Read one check-in',
  },
  schema: { params: EventPath.extend({ id: id('chk') }), response: { 200: Checkin } },
});

export const createCheckin = operation({
  method: 'POST',
  url: '/v1/events/:eventId/checkins',
  config: {
    ...config,
    operationId: 'createCheckin',
    newRecord: {
      ...{ scannedAt: null, deviceId: null, overruled: false },
      ...{ badgeReplaced: false, undoneAt: null },
    },
    permission: 'doors',
    summary: 'Check a person in at a door',
    description:
      'One check-in per registration and door: a second scan returns 200 with `alreadyCheckedIn: true`. After a transfer ' +
      'the check-in may be that of the former badge (`checkin.badgeReplaced`); an operator can make this a 412 ' +
      '`FORMER_BADGE_INSIDE`. A gate ' +
      'opens for registrations with any of its perks. A session also has the gate of its venue. The event and the ticket ' +
      'type can have times of admission, and both must be open. The details of a ' +
      '`NOT_CONFIRMED` have the `registrationStatus`, those of a `GATE_CLOSED` the `perks` that open the gate, those of an ' +
      '`ADMISSION_CLOSED` the times. A 404 ' +
      'names the field that matches nothing: the badge or the door.',
    rateLimitBudget: 'checkins',
    preconditions: [
      'BADGE_REPLACED',
      'EVENT_CANCELLED',
      'NOT_CONFIRMED',
      'GATE_CLOSED',
      'ADMISSION_CLOSED',
      'FORMER_BADGE_INSIDE',
    ],
  },
  schema: {
    params: EventPath,
    body: CreateCheckin,
    response: { 200: CheckinResult, 201: CheckinResult },
  },
});

export const undoCheckin = operation({
  method: 'POST',
  url: '/v1/events/:eventId/checkins/:id/undo',
  config: {
    ...config,
    operationId: 'undoCheckin',
    sets: ['undoneAt'],
    permission: 'undo',
    summary: 'Undo a check-in',
    description:
      'For a person who was checked in by mistake. The check-in stays readable and does not count any more; the next scan ' +
      'at the door is a first one again. A repeat returns the check-in unchanged. Archived events allow it, too.',
  },
  schema: {
    params: EventPath.extend({ id: id('chk') }),
    body: z
      .object({
        reason: line({ min: 1, max: 200 }).meta({
          description: 'Why it is undone. Only the platform stores it; no response contains it.',
          example: 'The neighbour of the attendee was scanned.',
        }),
      })
      .meta({ id: 'UndoCheckin' }),
    response: { 200: Checkin },
  },
});
