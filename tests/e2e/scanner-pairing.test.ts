import { listDeviceActivity, revokeDevice } from '@event-api/contracts/operator/devices';
import { createVenue, deleteVenue, updateVenue } from '@event-api/contracts/operator/program';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { test as base, describe, expect } from 'vitest';
import { browser, event, platform, useScannerEvent } from './scanner/context.ts';
import {
  devicesOf,
  type NewDevice,
  openScanner,
  type ScannerDevice,
  unsent,
  waitUntilSent,
} from './scanner/device.ts';
import { newScannerEvent, type ScannerEvent } from './scanner/event.ts';
import { scanBadge, scanOffline } from './scanner/scan.ts';

useScannerEvent();

const test = base.extend<{ newDevice: NewDevice }>({
  newDevice: devicesOf(() => ({ browser, event })),
});

/** What operators see of a device. */
async function reportOf({ id }: ScannerDevice) {
  const scope = { businessUnitId: event.unitId, eventId: event.entrance.subjectId };
  const { devices: seen } = await platform.operator.call(listDeviceActivity, scope);
  return seen.find((each) => each.id === id)?.report;
}

describe.concurrent('a scanner that is paired again', () => {
  test('keeps its scans when it is revoked, and sends them after it was paired again', async ({
    newDevice,
  }) => {
    const ray = await event.register('Ray Revoked');
    const device = await newDevice();
    const { page, context } = device;
    await context.setOffline(true);
    await scanOffline(page, ray.checkinCode, 'Welcome');
    const { unitId: businessUnitId } = event;
    await platform.operator.call(revokeDevice, { businessUnitId, id: device.id });
    const { token } = JSON.parse(String(await page.evaluate('localStorage.getItem("pairing")')));
    const asDevice = httpClient(platform.baseUrl, { authorization: `Bearer ${token}` });
    await eventually(async () => expect((await asDevice('GET', '/v1/device')).status).toBe(401));
    await context.setOffline(false);
    await page.getByText('This device was revoked').waitFor();
    await page.getByText('This device has scans of Summit that are not sent yet').waitFor();
    expect(await event.checkinsOf(ray.id)).toEqual([]);
    const { url } = await event.newDevice({ doors: [event.entrance] });
    await page.goto(url);
    await waitUntilSent(device);
    expect(await event.checkinsOf(ray.id)).toHaveLength(1);
    await page.getByText(/^Ready for offline/).waitFor();
    await context.setOffline(true);
    await scanOffline(page, ray.checkinCode, 'Already inside');
  });

  test('keeps the scans of a door until it is paired with that door again', async ({
    newDevice,
  }) => {
    const dora = await event.register('Dora Door');
    const device = await newDevice();
    const { page, context } = device;
    await context.setOffline(true);
    await scanOffline(page, dora.checkinCode, 'Welcome');
    await page.goto('about:blank');
    await context.setOffline(false);
    const pairWith = async (door: ScannerEvent['lounge']) => {
      const { url } = await event.newDevice({ doors: [door] });
      await page.goto('about:blank');
      await page.goto(url);
    };
    await pairWith(event.lounge);
    await page.getByText('Pair this device with Entrance of the event again').waitFor();
    await unsent(page, 1).waitFor();
    expect(await event.checkinsOf(dora.id)).toEqual([]);
    await eventually(async () => {
      const report = { unsentScans: 1, rosterReadAt: expect.any(String) };
      expect(await reportOf(device)).toMatchObject(report);
    }, 15_000);
    await pairWith(event.entrance);
    await waitUntilSent(device);
    expect(await event.checkinsOf(dora.id)).toHaveLength(1);
    await eventually(
      async () => expect(await reportOf(device)).toMatchObject({ unsentScans: 0 }),
      15_000,
    );
  });

  test('works with its new pairing in all pages of its browser', async ({ newDevice }) => {
    const tess = await event.register('Tess Twotabs');
    const device = await newDevice();
    const former = device.page;
    const { url } = await event.newDevice({ doors: [event.entrance, event.lounge] });
    const later = await openScanner(device, url);
    await later.getByRole('button', { name: 'Entrance of the event' }).click();
    await later.getByText(/^Ready for offline/).waitFor();
    // The former page has the same doors to choose from, without a reload.
    await former.getByRole('button', { name: 'Change the door' }).waitFor();
    expect(await scanBadge(former, tess.checkinCode)).toMatchObject({ kind: 'admitted' });
    await device.context.setOffline(true);
    await scanOffline(later, tess.checkinCode, 'Already inside');
    await later.reload();
    await later.getByRole('heading', { level: 1, name: 'Entrance of the event' }).waitFor();
  });

  test('keeps the new pairing when a page with the former token gets a 401', async ({
    newDevice,
  }) => {
    const pia = await event.register('Pia Paired');
    const { page, context } = await newDevice();
    // As another page does it. A page that a phone has suspended does not notice.
    const { url } = await event.newDevice({ doors: [event.entrance] });
    const withCode = { authorization: `Bearer ${new URL(url).hash.slice(1)}` };
    const installationId = await page.evaluate('localStorage.getItem("installation")');
    const pair = httpClient(platform.baseUrl, withCode);
    const { body } = await pair('POST', '/v1/device/pair', { body: { installationId } });
    const response = (status: number) =>
      page.waitForResponse((received) => received.status() === status);
    const rejected = response(401);
    const pairing = JSON.stringify(JSON.stringify(body));
    await page.evaluate(`localStorage.setItem("pairing", ${pairing})`);
    await rejected;
    await response(200);
    await context.setOffline(true);
    await scanOffline(page, pia.checkinCode, 'Welcome');
    await page.reload();
    await unsent(page, 1).waitFor();
  });

  test('says with which event it must be paired to send the scans of that event', async ({
    newDevice,
  }) => {
    const olga = await event.register('Olga Other');
    const other = await newScannerEvent(platform, { name: 'Another summit' });
    const device = await newDevice();
    const { page, context } = device;
    await context.setOffline(true);
    await scanOffline(page, olga.checkinCode, 'Welcome');
    await page.goto('about:blank');
    await context.setOffline(false);
    await page.goto((await other.newDevice({ doors: [other.entrance] })).url);
    const advice = page.getByText('This device has scans of Summit that are not sent yet. Pair it');
    await advice.waitFor();
    await page.getByRole('button', { name: 'Device' }).click();
    await advice.waitFor();
    await page.goto('about:blank');
    await page.goto((await event.newDevice({ doors: [event.entrance] })).url);
    await waitUntilSent(device);
    expect(await event.checkinsOf(olga.id)).toHaveLength(1);
  });
});

test('a scanner shows the present names of its doors, and which of them does not exist any more', async ({
  newDevice,
}) => {
  const scope = { businessUnitId: event.unitId, eventId: event.entrance.subjectId };
  const { operator } = platform;
  const { id } = await operator.call(createVenue, { ...scope, name: 'Old hall', perkIds: [] });
  const { page, context } = await newDevice({ door: { subjectType: 'venue', subjectId: id } });
  const readAgain = async () => {
    await context.setOffline(true);
    // The verdict depends on whether the device has already read that the door does not exist any
    // more.
    await scanBadge(page, 'CHK-0000000000000000');
    await context.setOffline(false);
    await page.getByText('Online', { exact: true }).waitFor();
  };
  await page.getByRole('heading', { level: 1, name: 'Old hall' }).waitFor();
  await operator.call(updateVenue, { ...scope, venueId: id, name: 'New hall' });
  await readAgain();
  await page.getByRole('heading', { level: 1, name: 'New hall' }).waitFor();
  await operator.call(deleteVenue, { ...scope, venueId: id });
  await readAgain();
  await page
    .getByRole('heading', { level: 1, name: 'A door that does not exist any more' })
    .waitFor();
});
