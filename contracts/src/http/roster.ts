import { z } from 'zod';
import { operation } from '../operation.ts';
import { NamedDoor } from './checkins.ts';
import { EventPath } from './events.ts';
import { id, pageLimit, text } from './fields.ts';
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

/** A record that delivers perks to the registrations that have it. */
export const RosterSource = z
  .object({
    id: z.string().meta({ example: 'tt_01k8zq4m3ne7rbj5t2xw9vd6ah' }),
    perkIds: z.array(z.string()),
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
      'only the badges that have changed, each as it is now, and maybe some of the last ones again. `sources` and `doors` are whole, ' +
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
        badges: z.array(z.union([RosterBadge, RemovedBadge])),
        sources: z.array(RosterSource).nullable().meta({
          description:
            'The records that deliver perks. One that is not listed delivers none. Null if unchanged.',
        }),
        doors: z.array(RosterDoor).nullable().meta({
          description: 'The doors of the caller. Null if unchanged.',
        }),
        nextCursor: z.string().meta({
          description: 'Always set. Send it as `cursor`, and as `rosterCursor` of scans.',
          example: 'WyJyb3N0ZXIiLCI5YzFlIiwxMjA1LCIiLCI5ZjgiLCI3ZDYiXQ',
        }),
        hasMore: z.boolean().meta({ description: 'Whether more badges follow.', example: false }),
      }),
    },
  },
});
