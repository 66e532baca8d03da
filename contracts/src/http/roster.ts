import { z } from 'zod';
import { operation } from '../operation.ts';
import { Checkin, NamedDoor } from './checkins.ts';
import { EventPath, eventStatuses } from './events.ts';
import { admissionTimes, id, pageLimit, text, timestampOut } from './fields.ts';
import { registrationStatuses } from './registrations.ts';

/** The most badges of a page. */
export const maxRosterRows = 5000;

const registrationId = id('reg');

/** A badge of the event, in any status. */
export const RosterBadge = z
  .object({
    registrationId,
    codeHash: z.string().meta({
      description:
        'The first 16 bytes of the SHA-256 of `checkin:` and the code in upper case, in base64url.',
      example: 'mLDTTpDr7PYeAxiqBzLPyg',
    }),
    replacedCodeHashes: z.array(z.string()).meta({
      description: 'The hashes of the codes of its former badges.',
      example: [],
    }),
    status: z.enum(registrationStatuses),
    sourceIds: z.array(z.string()).meta({
      description: 'The ticket type, add-ons and redemption code of the registration.',
      example: ['tt_01k8zq4m3ne7rbj5t2xw9vd6ah'],
    }),
    grantedPerkIds: z.array(z.string()).meta({
      description: 'Perks that were granted to the person.',
      example: [],
    }),
    name: z.string().nullable().meta({
      description: 'Null without `include=names`.',
      example: 'Ada Lovelace',
    }),
  })
  .meta({ id: 'RosterBadge' });
export type RosterBadge = z.output<typeof RosterBadge>;

const RemovedBadge = z
  .object({ registrationId, removed: z.literal(true) })
  .meta({ id: 'RemovedBadge', description: 'A badge that the event does not have any more.' });

/** A record that delivers perks or times of admission to the registrations that have it. */
export const RosterSource = z
  .object({
    id: z.string().meta({ example: 'tt_01k8zq4m3ne7rbj5t2xw9vd6ah' }),
    perkIds: z.array(z.string()),
    ...admissionTimes,
  })
  .meta({ id: 'RosterSource' });
export type RosterSource = z.output<typeof RosterSource>;

export const RosterDoor = NamedDoor.extend({
  gates: z.array(z.array(z.string())).meta({
    description:
      'Each gate opens for any of its perks, and all of them must open. A session also has the gate of its venue.',
    example: [['perk_01k8zq4m3ne7rbj5t2xw9vd6ah']],
  }),
}).meta({ id: 'RosterDoor' });
export type RosterDoor = z.output<typeof RosterDoor>;

const doorOfCheckin = {
  checkinId: Checkin.shape.id,
  registrationId,
  subjectType: Checkin.shape.subjectType,
  subjectId: Checkin.shape.subjectId,
};

/** Whom any device has let in at a door of the caller. */
export const RosterCheckin = z
  .object({
    ...doorOfCheckin,
    checkedInAt: Checkin.shape.checkedInAt,
    codeHash: z
      .string()
      .nullable()
      .meta({
        description:
          'The hash of the code of the badge that was let in. Null if it is not known. If it is one of the ' +
          '`replacedCodeHashes`, the former badge is inside.',
        example: 'mLDTTpDr7PYeAxiqBzLPyg',
      }),
  })
  .meta({ id: 'RosterCheckin' });
export type RosterCheckin = z.output<typeof RosterCheckin>;

const UndoneCheckin = z
  .object({ ...doorOfCheckin, removed: z.literal(true) })
  .meta({ id: 'UndoneCheckin', description: 'A check-in that does not count any more.' });
export type UndoneCheckin = z.output<typeof UndoneCheckin>;

/** What the event itself says about its doors. */
export const RosterEvent = z
  .object({
    status: z.enum(eventStatuses).nullable().meta({
      description: 'Null until the platform knows it.',
      example: 'published',
    }),
    startsAt: timestampOut().nullable(),
    endsAt: timestampOut('2027-05-12T15:00:00.000Z').nullable(),
    timezone: z.string().nullable().meta({
      description: 'Null until the platform knows it.',
      example: 'Europe/Berlin',
    }),
    ...admissionTimes,
    cancelledAt: timestampOut('2027-05-03T08:30:00.000Z').nullable().meta({
      description: 'When the event was cancelled: its doors admit nobody from then on.',
    }),
    refuseIfFormerInside: z.boolean().meta({
      description:
        'Whether a badge is refused at a door where the former badge of its registration was let in.',
      example: false,
    }),
  })
  .meta({ id: 'RosterEvent' });
export type RosterEvent = z.output<typeof RosterEvent>;

export const getRoster = operation({
  method: 'GET',
  url: '/v1/events/:eventId/checkins/roster',
  config: {
    tag: 'Check-ins',
    owner: 'onsite',
    audience: 'api',
    operationId: 'getRoster',
    permission: 'doors',
    summary: 'Read what a device needs to decide offline',
    description:
      'The badges of the event with hashes of their codes, what delivers perks, and the doors of the caller. Without `cursor` it ' +
      'begins with all badges; continue with `nextCursor` until `hasMore` is false. Store the last `nextCursor`: later it returns ' +
      'only the badges and check-ins that have changed, each as it is now, and maybe some of the last ones again. `sources` and `doors` are whole, ' +
      'or null if they have not changed since the cursor. A 412 `CURSOR_EXPIRED` means that the roster was rebuilt: begin without a ' +
      'cursor. The roster has no emails and no orders. Names need `include=names` and the permission `names`, which a device has if ' +
      'it may show names.',
    preconditions: ['CURSOR_EXPIRED'],
  },
  schema: {
    params: EventPath,
    querystring: z.object({
      cursor: text({ min: 1, max: 2000 })
        .optional()
        .meta({ description: 'The `nextCursor` of the previous response.' }),
      include: z.enum(['names']).optional().meta({ description: 'The names on the badges, too.' }),
      limit: pageLimit(maxRosterRows),
    }),
    response: {
      200: z.object({
        event: RosterEvent,
        badges: z.array(z.union([RosterBadge, RemovedBadge])),
        checkins: z.array(z.union([RosterCheckin, UndoneCheckin])).meta({
          description: 'The check-ins at the doors of the caller, by any device.',
        }),
        sources: z.array(RosterSource).nullable().meta({
          description:
            'The records that deliver perks or times of admission. One that is not listed delivers none. Null if unchanged.',
        }),
        doors: z.array(RosterDoor).nullable().meta({
          description: 'The doors of the caller. Null if unchanged.',
        }),
        nextCursor: z.string().meta({
          description: 'Always set. Send it as `cursor`, and as `rosterCursor` of scans.',
          example: 'WyJyb3N0ZXIiLCI5YzFlIiwxMjA1LCIiLCI5ZjgiLCI3ZDYiXQ',
        }),
        hasMore: z
          .boolean()
          .meta({ description: 'Whether more badges or check-ins follow.', example: false }),
      }),
    },
  },
});
