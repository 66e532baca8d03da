import { z } from 'zod';
import { operation } from '../operation.ts';
import { BadgeAndDoor, Checkin, checkinNotice, requireBadgeAndDoor } from './checkins.ts';
import { EventPath } from './events.ts';
import { nullIsAbsent, nullIsDefault, text, timestamp, timestampOut } from './fields.ts';

/** The most scans of a batch. */
export const maxScans = 500;

const scanId = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must have 1 to 64 characters, each a letter, a digit, _ or -')
    .meta({ description: 'Chosen by the device, once per scan.', example: 'scan-0001' });

/** One scan of a batch, as it is validated. A fault of it is the result of this scan alone. */
export const Scan = z
  .object({
    scanId: scanId(),
    ...BadgeAndDoor,
    scannedAt: timestamp('2027-05-10T09:00:00.000Z').meta({
      description: 'When the badge was scanned, by the clock of the device.',
    }),
    decision: z.enum(['admitted', 'refused']).meta({
      description: 'Whether the device has let the person in.',
      example: 'admitted',
    }),
    rosterCursor: nullIsAbsent(text({ min: 1, max: 2000 })).meta({
      description:
        'The `nextCursor` of the roster that the device has decided with. `rosterWasCurrent` of the result says whether the badge ' +
        'has changed since. Any other text is only stored.',
      example: 'list-17',
    }),
    clockUncertaintyMs: nullIsDefault(z.int().min(0).max(86_400_000), 0).meta({
      description: 'How far the clock of the device may have jumped between the scan and `sentAt`.',
      example: 0,
    }),
  })
  .check(requireBadgeAndDoor);

/** A field that the reference describes, and that is validated per scan. */
function describedField(field: z.ZodType): z.ZodType {
  const { $schema: _, ...json } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
  return z.unknown().optional().meta(json);
}

const isRequired = (field: z.ZodType): boolean => !field.safeParse(undefined).success;

const { scanId: _, ...scanFields } = Scan.shape;

/**
 * One scan as the envelope accepts it: only its id is validated, so that one scan cannot block the
 * others.
 */
const SentScan = z
  .looseObject({
    scanId: scanId(),
    ...Object.fromEntries(
      Object.entries(scanFields).map(([name, field]) => [name, describedField(field)]),
    ),
  })
  .meta({
    id: 'Scan',
    required: Object.entries(Scan.shape).flatMap(([name, field]) =>
      isRequired(field) ? [name] : [],
    ),
  });

/** Why a scan is invalid. */
export const scanIssues = [
  'MALFORMED_SCAN',
  'SCAN_ID_REUSED',
  'UNKNOWN_DOOR',
  'UNKNOWN_BADGE',
  'NOT_SAME_PERSON',
] as const;
export type ScanIssue = (typeof scanIssues)[number];

/** Why the server would have rejected a person that a device has let in. */
export const overruleReasons = [
  'BADGE_REPLACED',
  'EVENT_CANCELLED',
  'NOT_CONFIRMED',
  'GATE_CLOSED',
  'ADMISSION_CLOSED',
  'DOOR_GONE',
] as const;
export type OverruleReason = (typeof overruleReasons)[number];

const OtherScan = z
  .object({
    scanId: z.string().nullable().meta({
      description: 'Null for a check-in that was decided online.',
      example: 'scan-0417',
    }),
    checkinId: Checkin.shape.id,
    source: z.string().nullable().meta({
      description: 'The device or key that reported it. Null if it is unknown.',
      example: 'key_01k8zq4m3ne7rbj5t2xw9vd6ah',
    }),
    occurredAt: timestampOut(),
  })
  .meta({ id: 'OtherScan' });

/** A wrong field of a scan. */
const ScanFieldIssue = z
  .object({ field: z.string(), issue: z.string(), code: z.string() })
  .meta({ id: 'ScanFieldIssue' });

const reported = { scanId: scanId() };

const judged = {
  ...reported,
  rosterWasCurrent: z
    .boolean()
    .nullable()
    .meta({
      description:
        'Whether the badge is as it was in the roster of `rosterCursor`. Null without such a cursor, after a rebuild of the ' +
        'roster, and for an unknown badge.',
      example: true,
    }),
};

export const ScanResult = z
  .discriminatedUnion('result', [
    z
      .object({
        ...judged,
        result: z.literal('recorded'),
        checkin: Checkin,
        notice: checkinNotice(),
      })
      .meta({ description: 'The scan is the check-in of this badge at this door.' }),
    z
      .object({ ...judged, result: z.literal('already'), checkin: Checkin })
      .meta({ description: 'The same device has reported this badge at this door before.' }),
    z
      .object({
        ...judged,
        result: z.literal('contested'),
        checkin: Checkin,
        other: OtherScan,
        first: z.enum(['this', 'other', 'unknown']).meta({
          description:
            'Which scan was first, if the clocks can tell. The existing check-in stays as it is.',
        }),
      })
      .meta({ description: 'Another device has let the same badge in at this door, too.' }),
    z
      .object({
        ...judged,
        result: z.literal('overruled'),
        checkin: Checkin,
        reason: z.enum(overruleReasons).meta({ description: 'What would have been rejected.' }),
      })
      .meta({
        description:
          'The device has let in a person that the server would have rejected. The person is inside, so there is a check-in.',
      }),
    z
      .object({
        ...judged,
        result: z.literal('logged'),
        wouldAdmit: z
          .boolean()
          .meta({ description: 'Whether the server would let the person in.' }),
      })
      .meta({ description: 'The device has refused the person. There is no check-in.' }),
    z
      .object({
        ...reported,
        result: z.literal('invalid'),
        reason: z.enum(scanIssues),
        issues: z
          .array(ScanFieldIssue)
          .meta({ description: 'The wrong fields of a `MALFORMED_SCAN`.' }),
      })
      .meta({
        description:
          'The scan cannot be evaluated, also not later. The device drops it, and tells its staff if it has let the person in.',
      }),
    z.object({ ...reported, result: z.literal('retry') }).meta({
      description:
        'The badge is not known here, and its owner did not respond. The device keeps the scan and sends it again.',
    }),
  ])
  .meta({ id: 'ScanResult' });

export const createCheckinBatch = operation({
  method: 'POST',
  url: '/v1/events/:eventId/checkins/batch',
  config: {
    tag: 'Check-ins',
    owner: 'onsite',
    audience: 'api',
    operationId: 'createCheckinBatch',
    permission: 'doors',
    summary: 'Report scans that a device has decided offline',
    description:
      'Up to 500 scans with the decisions of the device. The results are in the order of the scans. A `scanId` that was ' +
      'reported before gets its stored result for 90 days, so a batch can be sent again after any failure. A person whom a ' +
      'device has let in is inside: the check-in is recorded even if the server would have rejected it. The request is a 400 ' +
      'only if it is not a list of scans with different, valid ids; any other fault is the result of its scan.',
    rateLimitBudget: 'checkins',
  },
  schema: {
    params: EventPath,
    body: z.object({
      sentAt: timestamp('2027-05-10T09:00:05.000Z').meta({
        description:
          'The time of this request by the clock of the device. Only its distance to `scannedAt` counts, so the clock may be wrong.',
      }),
      scans: z
        .array(SentScan)
        .min(1)
        .max(maxScans)
        .check((ctx) => {
          const seen = new Set<string>();
          for (const [index, { scanId }] of ctx.value.entries()) {
            if (seen.has(scanId)) {
              const message = 'must not occur twice';
              ctx.issues.push({
                code: 'custom',
                message,
                path: [index, 'scanId'],
                input: scanId,
              });
            }
            seen.add(scanId);
          }
        })
        .meta({
          example: [
            {
              scanId: 'scan-0001',
              registrationId: 'reg_01k8zq4m3ne7rbj5t2xw9vd6ah',
              subjectType: 'event',
              scannedAt: '2027-05-10T09:00:00.000Z',
              decision: 'admitted',
            },
          ],
        }),
    }),
    response: { 200: z.object({ results: z.array(ScanResult) }) },
  },
});
