import { z } from 'zod';
import { subjectTypes } from '../http/checkins.ts';
import { DeviceReport } from '../http/devices.ts';
import { id, name, requireField, timestampOut } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { maxScopeEntries, scopeId } from './keys.ts';
import { eventScope, reference } from './reference.ts';

const Door = z.object({ subjectType: z.enum(subjectTypes), subjectId: z.string() });

/**
 * The states of a device: its code waits for a scanner, its token is valid, its token has expired,
 * or an operator has revoked it.
 */
export const deviceStates = ['waiting', 'paired', 'expired', 'revoked'] as const;
export type DeviceState = (typeof deviceStates)[number];

/** A device without its secret. */
export const PairedDevice = z.object({
  id: id('dev'),
  businessUnitId: id('unit'),
  eventId: id('evt'),
  name: z.string(),
  doors: z.array(Door),
  showNames: z.boolean(),
  state: z.enum(deviceStates),
  pairedAt: timestampOut().nullable().meta({ description: 'Null until a scanner uses the code.' }),
  expiresAt: timestampOut().meta({
    description: 'When its token expires; of a device that waits, when its pairing code does.',
  }),
  revokedAt: timestampOut().nullable(),
});

const config = {
  tag: 'Devices',
  owner: 'gateway',
  audience: 'operator',
  permission: 'devices',
} as const;

export const pairDevice = operation({
  method: 'POST',
  url: '/operator/device.pair',
  config: {
    ...config,
    operationId: 'device.pair',
    summary: 'Create a pairing code for a scanner; only this response shows it',
    description:
      'The code is valid for ten minutes and once. The scanner that uses it gets a token for the event and these doors, which is valid for 24 hours, or with `untilEventEnds` until the event is over. A retry with the same `Idempotency-Key` returns the device with `code: null`, `shortCode: null` and `url: null`.',
    secretInResponse: ['code', 'shortCode', 'url'],
  },
  schema: {
    body: z.object({
      ...eventScope,
      name: name().meta({
        description: 'A name by which people recognize the device',
        example: 'North entrance, left',
      }),
      doors: z
        .array(
          z
            .object({
              subjectType: z.enum(subjectTypes).meta({ description: 'The kind of the door' }),
              subjectId: scopeId(
                ['evt', 'ses', 'ven'],
                'A session or a venue; the door of the event needs none',
              ).optional(),
            })
            .check((ctx) => {
              const { subjectType, subjectId } = ctx.value;
              if (subjectType !== 'event' && subjectId === undefined) {
                requireField(ctx, 'subjectId', 'is required for a session or a venue');
              }
            }),
        )
        .min(1)
        .max(maxScopeEntries)
        .meta({
          description: 'The only doors at which the device checks people in',
          example: [{ subjectType: 'event' }],
        }),
      showNames: z
        .boolean()
        .default(false)
        .meta({ description: 'Whether the device may show names of people' }),
      untilEventEnds: z
        .boolean()
        .default(false)
        .meta({
          description:
            'Whether the device stays paired until 12 hours after the end of the event, at least 24 hours and at most 31 days; ' +
            'the event must have an end',
        }),
    }),
    response: {
      201: PairedDevice.extend({
        code: z.string().nullable().meta({ description: 'Null in a replay: it is not stored.' }),
        shortCode: z.string().nullable().meta({
          description:
            'The same to type, if no camera reads the QR; case and dashes do not matter. In a cell it begins with its name. Null in a replay.',
          example: 'K7QM-3XTB',
        }),
        url: z.string().nullable().meta({
          description: 'The address of the scanner with the code, for a QR. Null in a replay.',
        }),
      }),
    },
  },
});

export const listDevices = operation({
  method: 'POST',
  url: '/operator/device.list',
  config: {
    ...config,
    operationId: 'device.list',
    isRead: true,
    summary: 'List the devices of a business unit, newest first',
    description:
      'A device is listed until 30 days after its token has expired, one that no scanner was paired with only until its code expires.',
  },
  schema: {
    body: z.object({
      businessUnitId: eventScope.businessUnitId,
      eventId: reference('evt', 'Only the devices of this event').optional(),
    }),
    response: { 200: z.object({ devices: z.array(PairedDevice) }) },
  },
});

export const revokeDevice = operation({
  method: 'POST',
  url: '/operator/device.revoke',
  config: {
    ...config,
    operationId: 'device.revoke',
    summary: 'Revoke a device and its pairing code; every gateway rejects them within a second',
  },
  schema: {
    body: z.object({
      businessUnitId: reference('unit', 'The business unit'),
      id: reference('dev', 'The device'),
    }),
    response: { 200: PairedDevice },
  },
});

/** When a device was seen, and what it has reported last. */
export const DeviceActivity = z.object({
  id: id('dev'),
  lastSeenAt: timestampOut().meta({
    description: 'When its last request at the doors arrived; up to some seconds late.',
  }),
  report: DeviceReport.nullable().meta({
    description: 'What it has reported last. Null if it has not reported anything.',
  }),
});

export const listDeviceActivity = operation({
  method: 'POST',
  url: '/operator/device.listActivity',
  config: {
    ...config,
    owner: 'onsite',
    operationId: 'device.listActivity',
    isRead: true,
    summary: 'List when the devices of an event were seen, with their rosters and unsent scans',
    description: 'The list contains the devices that were seen during the last 90 days.',
  },
  schema: {
    body: z.object(eventScope),
    response: { 200: z.object({ devices: z.array(DeviceActivity) }) },
  },
});
