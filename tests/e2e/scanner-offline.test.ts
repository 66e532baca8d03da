import { listDeviceActivity, revokeDevice } from '@event-api/contracts/operator/devices';
import { launchBrowser, takePicture, violationsOf } from '@event-api/platform/testing/browser';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, test as base, beforeAll, describe, expect } from 'vitest';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { newScannerDevice, reopen, type ScannerDevice, waitUntilSent } from './scanner/device.ts';
import { newScannerEvent, type ScannerEvent } from './scanner/event.ts';
import { nextVerdict, scanBadge } from './scanner/scan.ts';

let platform: PlatformFixture;
let browser: Browser;
let event: ScannerEvent;

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), launchBrowser()]);
  event = await newScannerEvent(platform);
}, 600_000);
afterAll(async () => {
  await browser?.close();
});

type NewDevice = (options?: Parameters<typeof newScannerDevice>[1]) => Promise<ScannerDevice>;

const test = base.extend<{ newDevice: NewDevice }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures that a fixture needs from this pattern.
  newDevice: async ({}, use) => {
    const devices: ScannerDevice[] = [];
    await use(async (options) => {
      const device = await newScannerDevice({ browser, event }, options);
      devices.push(device);
      return device;
    });
    for (const { context } of devices) await context.close();
    expect(devices.flatMap(({ failures }) => failures)).toEqual([]);
  },
});

const unsent = (page: Page, count: number) =>
  page.getByText(count === 1 ? '1 scan is not sent yet' : `${count} scans are not sent yet`);

/** Shows a badge and expects a verdict of the device. */
async function scan(page: Page, code: string, title: string): Promise<void> {
  const { text } = await scanBadge(page, code);
  expect(text).toContain(title);
  expect(text).toContain('Decided by this device');
}

/** Live check-ins of a person at the entrance. */
async function checkinsOf(registrationId: string) {
  const query = `registrationId=${registrationId}&subjectType=event`;
  return (await event.steps.get(`${event.path}/checkins?${query}`)).checkins;
}

/** What operators see of a device. */
async function reportOf({ id }: ScannerDevice) {
  const scope = { businessUnitId: event.unitId, eventId: event.entrance.subjectId };
  const { devices: seen } = await platform.operator.call(listDeviceActivity, scope);
  return seen.find((each) => each.id === id)?.report;
}

const doorSummary = async () => {
  const { doors } = await event.steps.get(`${event.path}/checkins/summary`);
  return doors.find(({ subjectType }: { subjectType: string }) => subjectType === 'event');
};

describe.concurrent('a scanner without a network', () => {
  test('decides with its roster, and sends what it has decided when the network is back', async ({
    newDevice,
  }) => {
    const ada = await event.register('Ada Lovelace');
    const gone = await event.register('Gina Gone');
    await event.steps.post(`${event.path}/registrations/${gone.id}/cancel`);
    const device = await newDevice();
    const { page, context } = device;
    await context.setOffline(true);
    await scan(page, ada.checkinCode, 'Welcome');
    await page.getByText('Offline: no network. This device decides with the list of').waitFor();
    await unsent(page, 1).waitFor();
    await takePicture(page, 'scanner-offline-welcome');
    expect(await violationsOf(page)).toEqual([]);
    await scan(page, ada.checkinCode, 'Already inside');
    await scan(page, gone.checkinCode, 'No entry');
    await scan(page, 'CHK-0000000000000000', 'Unknown badge');
    await unsent(page, 3).waitFor();
    await takePicture(page, 'scanner-offline-unknown');
    expect(await violationsOf(page)).toEqual([]);
    expect(await checkinsOf(ada.id)).toEqual([]);
    await waitUntilSent(device);
    expect(await checkinsOf(ada.id)).toMatchObject([{ deviceId: device.id, overruled: false }]);
    expect(await checkinsOf(gone.id)).toEqual([]);
    expect(await scanBadge(page, ada.checkinCode)).toMatchObject({ kind: 'already' });
  });

  test('opens again, and loses no scan when its page is closed before it is sent', async ({
    newDevice,
  }) => {
    const mary = await event.register('Mary Closed');
    const device = await newDevice();
    await device.context.setOffline(true);
    await scan(device.page, mary.checkinCode, 'Welcome');
    await reopen(device, platform);
    await unsent(device.page, 1).waitFor();
    await scan(device.page, mary.checkinCode, 'Already inside');
    await waitUntilSent(device);
    expect(await checkinsOf(mary.id)).toHaveLength(1);
  });

  test('knows a badge that the platform has let in at this device before', async ({
    newDevice,
  }) => {
    const rita = await event.register('Rita Return');
    const { page, context } = await newDevice();
    expect(await scanBadge(page, rita.checkinCode)).toMatchObject({ kind: 'admitted' });
    await context.setOffline(true);
    await scan(page, rita.checkinCode, 'Already inside');
    expect(await page.getByText(/not sent yet/).count()).toBe(0);
  });

  test('refuses a badge whose gate is closed, and lets nobody unpair it with scans that are not sent', async ({
    newDevice,
  }) => {
    const lena = await event.register('Lena Lounge');
    const device = await newDevice({ door: event.lounge });
    const { page, context } = device;
    await context.setOffline(true);
    await scan(page, lena.checkinCode, 'Not this door');
    await page.getByRole('button', { name: 'Device' }).click();
    await page.getByText('1 scan is not sent yet. The device can be unpaired').waitFor();
    expect(await page.getByRole('button', { name: 'Unpair' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Lounge' }).click();
    await waitUntilSent(device);
    await page.getByRole('button', { name: 'Device' }).click();
    expect(await page.getByRole('button', { name: 'Unpair' }).isEnabled()).toBe(true);
  });

  test('finds a person without a badge by name, if it may show names', async ({ newDevice }) => {
    const zoe = await event.register('Zoë Nobadge', 'zoe@example.com');
    const device = await newDevice({ showNames: true });
    const { page, context } = device;
    await context.setOffline(true);
    await page.getByText('Find by name').click();
    await page.getByLabel('Name', { exact: true }).fill('nobody at all');
    await page.getByText('No person has this name.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('zoe');
    expect(await violationsOf(page)).toEqual([]);
    const verdict = await nextVerdict(page);
    await page.getByRole('button', { name: 'Zoë Nobadge' }).click();
    const welcome = expect.stringMatching(/Welcome.*Zoë Nobadge/);
    expect(await verdict()).toEqual({ kind: 'admitted', text: welcome });
    await waitUntilSent(device);
    expect(await checkinsOf(zoe.id)).toHaveLength(1);
    const nameless = await newDevice();
    expect(await nameless.page.getByText('Find by name').count()).toBe(0);
  });

  test('keeps its scans when it is revoked, and sends them after it was paired again', async ({
    newDevice,
  }) => {
    const ray = await event.register('Ray Revoked');
    const device = await newDevice();
    const { page, context } = device;
    await context.setOffline(true);
    await scan(page, ray.checkinCode, 'Welcome');
    const { unitId: businessUnitId } = event;
    await platform.operator.call(revokeDevice, { businessUnitId, id: device.id });
    const { token } = JSON.parse(String(await page.evaluate('localStorage.getItem("pairing")')));
    const asDevice = httpClient(platform.baseUrl, { authorization: `Bearer ${token}` });
    await eventually(async () => expect((await asDevice('GET', '/v1/device')).status).toBe(401));
    await context.setOffline(false);
    await page.getByText('This device was revoked').waitFor();
    await page.getByText('This device has scans of Summit that are not sent yet').waitFor();
    expect(await checkinsOf(ray.id)).toEqual([]);
    const { url } = await event.newDevice({ doors: [event.entrance] });
    await page.goto(url);
    await waitUntilSent(device);
    expect(await checkinsOf(ray.id)).toHaveLength(1);
    await page.getByText(/^Ready for offline/).waitFor();
    await context.setOffline(true);
    await scan(page, ray.checkinCode, 'Already inside');
  });

  test('keeps the scans of a door until it is paired with that door again', async ({
    newDevice,
  }) => {
    const dora = await event.register('Dora Door');
    const device = await newDevice();
    const { page, context } = device;
    await context.setOffline(true);
    await scan(page, dora.checkinCode, 'Welcome');
    await page.goto('about:blank');
    await context.setOffline(false);
    const pairWith = async (door: ScannerEvent['lounge']) => {
      const { url } = await event.newDevice({ doors: [door] });
      await page.goto('about:blank');
      await page.goto(url);
    };
    await pairWith(event.lounge);
    await page.getByText('Pair this device with Event entrance again').waitFor();
    await unsent(page, 1).waitFor();
    expect(await checkinsOf(dora.id)).toEqual([]);
    await eventually(async () => {
      const report = { unsentScans: 1, rosterReadAt: expect.any(String) };
      expect(await reportOf(device)).toMatchObject(report);
    }, 15_000);
    await pairWith(event.entrance);
    await waitUntilSent(device);
    expect(await checkinsOf(dora.id)).toHaveLength(1);
    await eventually(
      async () => expect(await reportOf(device)).toMatchObject({ unsentScans: 0 }),
      15_000,
    );
  });

  test('reports the time of a scan rightly when its clock is corrected before it is sent', async ({
    newDevice,
  }) => {
    const cora = await event.register('Cora Clock');
    const device = await newDevice();
    const { page, context } = device;
    await context.setOffline(true);
    const before = Date.now();
    await scan(page, cora.checkinCode, 'Welcome');
    const after = Date.now();
    await page.evaluate('(() => { const now = Date.now; Date.now = () => now() + 300_000; })()');
    await waitUntilSent(device);
    const [checkin] = await checkinsOf(cora.id);
    // The clock of the platform is known to half a second.
    expect(Date.parse(checkin.checkedInAt)).toBeGreaterThan(before - 2000);
    expect(Date.parse(checkin.checkedInAt)).toBeLessThan(after + 2000);
  });
});

// Not beside the other tests, because it counts the check-ins of the event.
test('a scanner without a network lets a person in whom another device has let in, which the platform reports for both', async ({
  newDevice,
}) => {
  const eve = await event.register('Eve Twice');
  const before = await doorSummary();
  const [first, second] = [await newDevice(), await newDevice()];
  await first.context.setOffline(true);
  await scan(first.page, eve.checkinCode, 'Welcome');
  expect(await scanBadge(second.page, eve.checkinCode)).toMatchObject({ kind: 'admitted' });
  await waitUntilSent(first);
  await first.page.getByText('1 badge was let in by another device, too').waitFor();
  expect(await checkinsOf(eve.id)).toMatchObject([{ deviceId: second.id }]);
  const after = await doorSummary();
  expect(after.checkedIn - before.checkedIn).toBe(1);
  expect(after.contested - before.contested).toBe(1);
});

test('a change of the event reaches the roster without a reload', async ({ newDevice }) => {
  const { page, context } = await newDevice();
  const nora = await event.register('Nora New');
  // The roster is read again when the network is back.
  await eventually(async () => {
    const response = page.waitForResponse(/\/checkins\/roster\?/);
    await context.setOffline(true);
    expect(await scanBadge(page, 'CHK-0000000000000000')).toMatchObject({ kind: 'unknown_badge' });
    await context.setOffline(false);
    expect(await (await response).text()).toContain(nora.id);
  }, 60_000);
  await page.getByText('Online', { exact: true }).waitFor();
  await context.setOffline(true);
  await eventually(async () => {
    await scan(page, nora.checkinCode, 'Welcome');
  });
});
