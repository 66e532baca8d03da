import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { installedK6 } from '@event-api/load-tests/k6.ts';
import { runK6 } from '@event-api/load-tests/run-k6.ts';
import { eventually } from '@event-api/platform/testing/eventually';
import { endByCommand } from '@event-api/tools/load/end-command';
import { prepareByCommand } from '@event-api/tools/load/prepare-command';
import type { LoadEvent, TestData } from '@event-api/tools/load/test-data';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let data: TestData;
let one: LoadEvent;
let other: LoadEvent;
let doors: LoadEvent;

beforeAll(async () => {
  platform = await sharedPlatform();
  data = await prepareByCommand(platform, {
    scenario: 'on-sale',
    units: 2,
    events: 2,
    seats: 3,
    seconds: 60,
    isFree: true,
  });
  const surge = await prepareByCommand(platform, {
    scenario: 'checkin-surge',
    units: 1,
    events: 1,
    rate: 1,
    seconds: 1,
    isFree: false,
  });
  const [first, , third] = data.events;
  const [fourth] = surge.events;
  if (!first || !third || !fourth) throw new Error('no events');
  [one, other, doors] = [first, third, fourth];
});

const send = (bearer: string | undefined, path: string, body?: unknown) =>
  fetch(`${platform.baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

describe('load.prepare', () => {
  test('creates two units with two events each, which only their own keys see', async () => {
    expect(data).toMatchObject({ scenario: 'on-sale', seats: 3, rate: 20, isFree: true });
    expect(new Set(data.events.map(({ eventId }) => eventId)).size).toBe(4);
    expect(new Set(data.events.map(({ businessUnitId }) => businessUnitId)).size).toBe(2);
    const statusOf = async (key: string | undefined, { eventId }: LoadEvent) =>
      (await send(key, `/v1/events/${eventId}`)).status;
    expect(await statusOf(one.keys[0], one)).toBe(200);
    expect(await statusOf(one.keys.at(-1), one)).toBe(200);
    expect(await statusOf(one.keys[0], other)).toBe(404);
  });

  test('creates as many free scarce seats as the scenario has', async () => {
    const order = (number: number) =>
      send(one.keys[0], `/v1/events/${one.eventId}/orders`, {
        email: `seat-${number}@example.com`,
        items: [{ itemType: 'registration_type', itemId: one.scarceTypeId }],
      });
    const responses = [];
    for (let number = 0; number < 4; number++) responses.push(await order(number));
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 412]);
    expect(await responses[0]?.json()).toMatchObject({ totalAmount: 0 });
  });

  test('pairs scanners, each with a token for its own door', async () => {
    const { eventId, badges, devices } = doors;
    const [device, neighbour] = devices;
    const scan = (token: string | undefined, number: number) =>
      send(token, `/v1/events/${eventId}/checkins`, {
        checkinCode: badges[number],
        ...device?.door,
      });
    expect(devices).toHaveLength(12);
    expect(badges).toHaveLength(250);
    expect((await scan(device?.token, 0)).status).toBe(201);
    expect((await scan(neighbour?.token, 1)).status).toBe(404);
  });

  test('rejects figures that do not fit, before it creates anything', async () => {
    const short = { scenario: 'on-sale', hesitation: 1, isFree: false } as const;
    const failed = await prepareByCommand(platform, short).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 400,
      details: [{ field: 'seconds', code: 'invalid_value' }],
    });
  });
});

const k6 = installedK6(join(import.meta.dirname, '../../.toolchain'));

// `npm run load` builds k6 where it is missing, which takes minutes.
describe.runIf(k6)('k6 with the data of load.prepare', () => {
  test('runs against another address than the platform has for itself', async () => {
    const smoke = await prepareByCommand(platform, { scenario: 'smoke', isFree: false });
    const results = mkdtempSync(join(inject('runFolder'), 'load-'));
    const { isPassed, steps } = await runK6({
      k6: k6 ?? '',
      data: { ...smoke, baseUrl: 'http://127.0.0.1:1' },
      target: `${platform.baseUrl}/`,
      results,
    });
    expect(isPassed).toBe(true);
    expect(steps).toContain('register');
  });
});

describe('load.end', () => {
  test('revokes the keys and scanners of the unit, and nothing of another one', async () => {
    const { businessUnitId } = one;
    expect(await endByCommand(platform.operator, { businessUnitId })).toEqual({
      revokedKeys: one.keys.length + 1,
      revokedDevices: 0,
    });
    const path = ({ eventId }: LoadEvent) => `/v1/events/${eventId}`;
    // Every gateway rejects them within a second.
    await eventually(async () => {
      expect((await send(one.keys[0], path(one))).status).toBe(401);
    });
    expect((await send(other.keys[0], path(other))).status).toBe(200);
    expect(await endByCommand(platform.operator, { businessUnitId })).toEqual({
      revokedKeys: 0,
      revokedDevices: 0,
    });
    expect(
      await endByCommand(platform.operator, { businessUnitId: doors.businessUnitId }),
    ).toMatchObject({ revokedDevices: doors.devices.length });
    await eventually(async () => {
      const response = await send(doors.devices[0]?.token, path(doors));
      expect(response.status).toBe(401);
    });
  });

  test('rejects the business unit of an organizer', async () => {
    const { unitId } = await platform.newUnit();
    const failed = await endByCommand(platform.operator, { businessUnitId: unitId }).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ code: 400, details: [{ field: 'businessUnitId' }] });
  });
});
