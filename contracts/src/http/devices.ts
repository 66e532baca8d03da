import { z } from 'zod';
import { type Cell, cellPattern } from '../cells.ts';
import { operation } from '../operation.ts';
import { NamedDoor } from './checkins.ts';
import { EventPath } from './events.ts';
import { id, nullIsAbsent, timestampOut } from './fields.ts';

/** Digits and letters that nobody confuses when reading or typing them. */
export const shortCodeLetters = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
export const shortCodeLength = 8;

const shortCodePattern = new RegExp(`^[${shortCodeLetters}]{${shortCodeLength}}$`);

/** A short pairing code: its letters, and the cell whose name is before them. */
export interface ShortCode {
  cell: Cell;
  code: string;
}

/**
 * A short pairing code as a person types it, in any case, with or without dashes and spaces; null
 * if it is none. The letters have a fixed number, so what is before them is the name of a cell.
 */
export function parseShortCode(text: string): ShortCode | null {
  const typed = text.replaceAll(/[\s-]/g, '').toUpperCase();
  const code = typed.slice(-shortCodeLength);
  if (!shortCodePattern.test(code)) return null;
  const cell = typed.slice(0, -shortCodeLength).toLowerCase() || null;
  return cell === null || cellPattern.test(cell) ? { cell, code } : null;
}

/** A short code as a person reads it: `K7QM-3XTB`, and `EU2-K7QM-3XTB` of a cell. */
export function writeShortCode({ cell, code }: ShortCode): string {
  const half = shortCodeLength / 2;
  const parts = [code.slice(0, half), code.slice(half)];
  return (cell === null ? parts : [cell.toUpperCase(), ...parts]).join('-');
}

/** A scanner at the doors of one event. */
export const Device = z
  .object({
    id: id('dev').meta({ description: 'It stays when the same installation is paired again.' }),
    name: z.string().meta({ example: 'North entrance, left' }),
    event: z.object({
      id: id('evt'),
      name: z.string().meta({ example: 'Spring Summit' }),
      timezone: z.string().meta({ example: 'Europe/Berlin' }),
    }),
    doors: z.array(NamedDoor).meta({ description: 'The only doors of the device, 1 to 20.' }),
    showNames: z.boolean().meta({ description: 'Whether the device may show names of people.' }),
    expiresAt: timestampOut().meta({ description: 'When its token expires.' }),
  })
  .meta({ id: 'Device' });

const config = { tag: 'Devices', owner: 'gateway', audience: 'api' } as const;

export const pairDevice = operation({
  method: 'POST',
  url: '/v1/device/pair',
  config: {
    ...config,
    operationId: 'pairDevice',
    permission: 'pairing',
    summary: 'Turn a pairing code into the token of a device',
    description:
      'Send the pairing code of the QR as the bearer, or the short code beside it, with or without its dash and in any case. ' +
      'A code is valid for ten minutes and once: of several requests with ' +
      'one code, one gets the token, and the others a 401. Too many tries of short codes are a 429. If the response is lost, pair with a new code. An ' +
      'installation that pairs again stays the same device, and its former token is revoked.',
    readsOwnEvents: true,
    isOnce: true,
    secretInResponse: ['token'],
  },
  schema: {
    body: z
      .object({
        installationId: z
          .string()
          .regex(/^[A-Za-z0-9_-]{8,64}$/, 'must be 8 to 64 letters, digits, - or _')
          .meta({
            description:
              'A random text that the scanner creates when it is installed, and keeps. The device is recognized by it.',
            example: 'qI4xZ0bTn7Wc9dLk',
          }),
      })
      .meta({ id: 'PairDevice' }),
    response: {
      200: z.object({
        token: z.string().meta({
          description: 'The secret of the device, `dk_live_…`. Only this response shows it.',
          example: 'dk_live_00000000000000000000000000000000',
        }),
        device: Device,
      }),
    },
  },
});

export const getDevice = operation({
  method: 'GET',
  url: '/v1/device',
  config: {
    ...config,
    operationId: 'getDevice',
    permission: 'device',
    summary: 'Read the device of the token',
    description: 'Its event, its doors by name, and when its token expires.',
    readsOwnEvents: true,
  },
  schema: { response: { 200: Device } },
});

/** A reported count or age has an upper limit, so that it fits its column. */
const maxUnsentScans = 1_000_000;
const maxRosterAgeMs = 366 * 24 * 60 * 60_000;

/** What a device has reported about itself. */
export const DeviceReport = z
  .object({
    unsentScans: z.int().meta({ description: 'The scans that it has not sent yet.', example: 3 }),
    rosterReadAt: timestampOut()
      .nullable()
      .meta({ description: 'When its roster was complete and current. Null without a roster.' }),
    reportedAt: timestampOut().meta({ description: 'By the clock of the server.' }),
  })
  .meta({ id: 'DeviceReport' });

export const reportDevice = operation({
  method: 'PUT',
  url: '/v1/events/:eventId/checkins/device',
  config: {
    tag: 'Devices',
    owner: 'onsite',
    audience: 'api',
    operationId: 'reportDevice',
    permission: 'device',
    summary: 'Report the state of the device of the token',
    description:
      'Operators see it in the list of devices. Report it about every 30 seconds, and after unsent scans were sent. The last ' +
      'report counts. A credential that is not a device gets a 403.',
  },
  schema: {
    params: EventPath,
    body: z
      .object({
        unsentScans: z.int().min(0).max(maxUnsentScans).meta({
          description: 'The scans that the device has stored and not sent yet.',
          example: 3,
        }),
        rosterAgeMs: nullIsAbsent(z.int().min(0).max(maxRosterAgeMs)).meta({
          description:
            'How long ago the device has read the roster to its end, by its own clock. Omit it without a roster.',
          example: 12_000,
        }),
      })
      .meta({ id: 'ReportDevice' }),
    response: { 200: DeviceReport },
  },
});
