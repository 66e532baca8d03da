import { z } from 'zod';
import {
  BadgeHolder,
  Checkin,
  CreateCheckin,
  checkinNotice,
  requireBadgeAndDoor,
  subjectTypes,
} from '../http/checkins.ts';
import { admissionTimes, nullIsAbsent } from '../http/fields.ts';
import { PerkSource, registrationStatuses } from '../http/registrations.ts';
import { operation } from '../operation.ts';
import { eventScope, reference } from './reference.ts';

/** The outcomes of a check-in. Only `admitted` writes one. */
export const checkinOutcomes = [
  'admitted',
  'unknown_door',
  'unknown_badge',
  'badge_replaced',
  'badge_mismatch',
  'event_cancelled',
  'not_confirmed',
  'gate_closed',
  'admission_closed',
  'former_badge_inside',
] as const;

/** What a check-in was decided with. */
export const checkinDeciders = ['projections', 'registration', 'fallback'] as const;
export type CheckinDecider = (typeof checkinDeciders)[number];

const perk = { id: z.string(), name: z.string().nullable() };

const passed = z.boolean();

/** A rule of a check-in that was evaluated, with its result. */
const EvaluatedRule = z.discriminatedUnion('rule', [
  z.object({ rule: z.literal('door'), passed }).meta({ description: 'The event has the door.' }),
  z.object({ rule: z.literal('badge'), passed }).meta({ description: 'The event has the badge.' }),
  z
    .object({ rule: z.literal('badge_current'), passed })
    .meta({ description: 'The code was not replaced. Only if a code of the registration was.' }),
  z
    .object({ rule: z.literal('badge_code'), passed })
    .meta({ description: 'The code belongs to the registration. Only if both were sent.' }),
  z
    .object({ rule: z.literal('event'), passed })
    .meta({ description: 'The event was not cancelled at that time. Only if it was cancelled.' }),
  z
    .object({
      rule: z.literal('confirmed'),
      passed,
      registrationStatus: z.enum(registrationStatuses),
    })
    .meta({ description: 'The registration is confirmed.' }),
  z
    .object({
      rule: z.literal('gate'),
      passed,
      of: z.enum(subjectTypes).meta({ description: 'Whose gate it is' }),
      perks: z.array(z.object(perk)).meta({ description: 'Any of them opens the gate.' }),
    })
    .meta({ description: 'The registration has a perk that opens the gate.' }),
  z
    .object({
      rule: z.literal('admission'),
      passed,
      of: z.enum(['event', 'registration_type']).meta({ description: 'Whose times they are' }),
      ...admissionTimes,
    })
    .meta({ description: 'It is within the times of admission. Only if there are some.' }),
]);

const CheckinExplanation = z.object({
  outcome: z.enum(checkinOutcomes),
  decidedBy: z.enum(checkinDeciders).meta({
    description:
      '`projections`: the data that onsite stores; `registration`: the record of its owner, which was called; ' +
      '`fallback`: the projections, because registration did not respond.',
  }),
  rules: z.array(EvaluatedRule).meta({
    description: 'In the order in which they count: the first one that did not pass decides.',
  }),
  notice: checkinNotice(),
  registration: BadgeHolder.nullable(),
  heldPerks: z
    .array(z.object({ ...perk, sources: z.array(PerkSource) }))
    .meta({ description: 'All perks of the registration, each with what delivers it.' }),
  checkin: Checkin.nullable().meta({
    description: 'The earlier check-in at this door.',
  }),
});

export type CheckinExplanation = z.input<typeof CheckinExplanation>;

export const explainCheckin = operation({
  method: 'POST',
  url: '/operator/checkin.explain',
  config: {
    tag: 'Check-ins',
    owner: 'onsite',
    audience: 'operator',
    operationId: 'checkin.explain',
    isRead: true,
    permission: 'checkins.read',
    summary: 'Explain whether a check-in would be admitted, without checking anyone in',
    description: 'Takes the fields of a check-in and decides with the same rules.',
  },
  schema: {
    body: z
      .object({
        ...eventScope,
        ...CreateCheckin.shape,
        registrationId: nullIsAbsent(
          reference('reg', 'Required without `checkinCode`; both must be of the same registration'),
        ),
        subjectId: nullIsAbsent(
          reference(['ses', 'ven', 'evt'], 'Required for a session and for a venue'),
        ),
      })
      .check(requireBadgeAndDoor)
      .meta({ example: { registrationId: 'reg_01k8zq4m3ne7rbj5t2xw9vd6ah' } }),
    response: { 200: CheckinExplanation },
  },
});
