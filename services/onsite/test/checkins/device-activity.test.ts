import { createLogger } from '@event-api/platform/core/log';
import { describe, expect, test } from 'vitest';
import { startSightingWrites } from '../../src/checkins/devices/devices.job.ts';
import { deleteUnseenDevices, storeSightings } from '../../src/checkins/devices/devices.queries.ts';
import { call, onsite, operator, scope, useOnsite } from '../context.ts';
import { createTestEvent, createTestRegistration, errorReason, succeeded } from '../fixtures.ts';
import { device, report, scanOf } from './devices.ts';

useOnsite();

let count = 0;
const newDevice = () => `dev_${process.pid}_${++count}`;

const list = (fields: object = {}) =>
  operator('POST', '/operator/device.listActivity', { body: { ...scope, ...fields } });
const activity = async () => succeeded(await list()).devices;
const path = () => `/v1/events/${scope.eventId}/checkins/device`;

/** Stores what the process has collected, as its job does. */
const storeCollected = () =>
  storeSightings(onsite.replica(0).db, onsite.replica(0).deps.sightings.take());

describe('the activity of devices', () => {
  test('contains a device after its first request, without a report', async () => {
    const id = newDevice();
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const before = Date.now();
    await report(await device(id), [scanOf({ registrationId })]);
    await storeCollected();
    const [seen, ...others] = await activity();
    expect(others).toEqual([]);
    expect(seen).toEqual({ id, lastSeenAt: expect.any(String), report: null });
    expect(Date.parse(seen.lastSeenAt)).toBeGreaterThanOrEqual(before);
  });

  test('contains the last report, with the time of the roster by the clock of the server', async () => {
    const id = newDevice();
    const client = await device(id);
    await client('PUT', path(), { body: { unsentScans: 7 } });
    expect(await activity()).toMatchObject([
      { id, report: { unsentScans: 7, rosterReadAt: null } },
    ]);
    const before = Date.now();
    const body = { unsentScans: 2, rosterAgeMs: 60_000 };
    const reported = succeeded(await client('PUT', path(), { body }));
    expect(reported).toMatchObject({ unsentScans: 2 });
    const readAt = Date.parse(reported.rosterReadAt);
    expect(readAt).toBeGreaterThanOrEqual(before - 60_000 - 1000);
    expect(readAt).toBeLessThanOrEqual(Date.now() - 60_000);
    expect(await activity()).toEqual([{ id, lastSeenAt: reported.reportedAt, report: reported }]);
  });

  test('keeps a report when the device is only seen, and the later one of two sightings', async () => {
    const [id, { db }] = [newDevice(), onsite.replica(0)];
    await (await device(id))('PUT', path(), { body: { unsentScans: 4 } });
    const at = (offsetMs: number) => new Date(Date.now() + offsetMs);
    const later = at(60_000);
    await storeSightings(db, [{ ...scope, deviceId: id, seenAt: later }]);
    await storeSightings(db, [{ ...scope, deviceId: id, seenAt: at(-60_000) }]);
    expect(await activity()).toMatchObject([
      { id, lastSeenAt: later.toISOString(), report: { unsentScans: 4 } },
    ]);
  });

  test('lists a device at the event that it is paired with now', async () => {
    const [id, former] = [newDevice(), scope];
    await (await device(id))('PUT', path(), { body: { unsentScans: 0 } });
    const next = await createTestEvent(onsite, { businessUnitId: former.businessUnitId });
    const seenAt = new Date(Date.now() + 60_000);
    await storeSightings(onsite.replica(0).db, [{ ...next, deviceId: id, seenAt }]);
    expect(await activity()).toEqual([]);
    expect(succeeded(await list(next)).devices).toMatchObject([{ id }]);
  });

  test('collects no requests of keys and operators', async () => {
    await call('GET', `/v1/events/${scope.eventId}/checkins`);
    const taken = onsite.replica(0).deps.sightings.take();
    expect(taken.filter(({ eventId }) => eventId === scope.eventId)).toEqual([]);
  });

  test('is stored by the job', async () => {
    const id = newDevice();
    const { db, deps } = onsite.replica(0);
    await (await device(id))('GET', `/v1/events/${scope.eventId}/checkins/roster`);
    const log = createLogger({ service: 'onsite', level: 'silent' });
    const job = startSightingWrites({ db, log, sightings: deps.sightings }, 100);
    try {
      await expect.poll(activity).toMatchObject([{ id }]);
    } finally {
      await job.stop();
    }
  });

  test('is not found through another business unit, and a foreign device changes nothing', async () => {
    const id = newDevice();
    await (await device(id))('PUT', path(), { body: { unsentScans: 1 } });
    const stranger = await createTestEvent(onsite);
    const foreign = await list({ businessUnitId: stranger.businessUnitId });
    const missing = await list({ ...stranger, eventId: 'evt_missing' });
    expect([foreign.status, foreign.body.error.code]).toEqual([404, missing.body.error.code]);
    await storeSightings(onsite.replica(0).db, [{ ...stranger, deviceId: id, seenAt: new Date() }]);
    expect(await activity()).toMatchObject([{ id }]);
    expect(succeeded(await list(stranger)).devices).toEqual([]);
  });

  test('ends for a device that was not seen for the time that devices are kept', async () => {
    const { db } = onsite.replica(0);
    const [old, recent] = [newDevice(), newDevice()];
    const at = (hours: number) => new Date(Date.now() - hours * 60 * 60_000);
    await storeSightings(db, [
      { ...scope, deviceId: old, seenAt: at(3) },
      { ...scope, deviceId: recent, seenAt: at(1) },
    ]);
    await deleteUnseenDevices(db, 2 * 60 * 60_000);
    expect(await activity()).toMatchObject([{ id: recent }]);
  });
});

describe('a report of a device', () => {
  test('is a 403 for a key, which is no device', async () => {
    expect((await call('PUT', path(), { body: { unsentScans: 0 } })).status).toBe(403);
    expect(await activity()).toEqual([]);
  });

  test.each([
    [{ unsentScans: -1 }, 'unsentScans'],
    [{ unsentScans: 1.5 }, 'unsentScans'],
    [{}, 'unsentScans'],
    [{ unsentScans: 1, rosterAgeMs: -1 }, 'rosterAgeMs'],
    [{ unsentScans: 1, battery: 80 }, 'battery'],
  ])('%j is a 400 that names the field, and changes nothing', async (body, field) => {
    const response = await (await device(newDevice()))('PUT', path(), { body });
    expect(errorReason(response)).toEqual([400, field]);
    expect(await activity()).toEqual([]);
  });

  test('counts for the event of the device only', async () => {
    const other = await createTestEvent(onsite, { businessUnitId: scope.businessUnitId });
    const client = await device(newDevice());
    const url = `/v1/events/${other.eventId}/checkins/device`;
    expect((await client('PUT', url, { body: { unsentScans: 0 } })).status).toBe(404);
  });
});
