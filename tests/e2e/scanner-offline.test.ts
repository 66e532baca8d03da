import { createVenue } from '@event-api/contracts/operator/program';
import { takePicture, violationsOf } from '@event-api/platform/testing/browser';
import { eventually } from '@event-api/platform/testing/eventually';
import type { Page } from 'playwright-core';
import { test as base, describe, expect } from 'vitest';
import { browser, event, platform, useScannerEvent } from './scanner/context.ts';
import { devicesOf, type NewDevice, reopen, unsent, waitUntilSent } from './scanner/device.ts';
import { nextVerdict, scanBadge, scanOffline } from './scanner/scan.ts';

useScannerEvent();

const test = base.extend<{ newDevice: NewDevice }>({
  newDevice: devicesOf(() => ({ browser, event })),
});

/**
 * Reads the ids of the scans that a device has stored. Gives them another one first, if it is sent.
 */
const scanIds = (newId?: string) => `new Promise((resolve, reject) => {
  const opening = indexedDB.open('scanner');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const transaction = opening.result.transaction('scans', 'readwrite');
    const scans = transaction.objectStore('scans');
    const reading = scans.getAll();
    reading.onsuccess = () => {
      const newId = ${JSON.stringify(newId ?? null)};
      if (newId === null) return;
      for (const scan of reading.result) {
        scans.delete(scan.scanId);
        scans.put({ ...scan, scanId: newId });
      }
    };
    transaction.oncomplete = () => resolve(reading.result.map(({ scanId }) => scanId));
    opening.result.close();
  };
})`;

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
    await scanOffline(page, ada.checkinCode, 'Welcome');
    await page.getByText('Offline: no network. This device decides with the list of').waitFor();
    await unsent(page, 1).waitFor();
    await takePicture(page, 'scanner-offline-welcome');
    expect(await violationsOf(page)).toEqual([]);
    await scanOffline(page, ada.checkinCode, 'Already inside');
    await scanOffline(page, gone.checkinCode, 'No entry');
    await scanOffline(page, 'CHK-0000000000000000', 'Unknown badge');
    await unsent(page, 3).waitFor();
    await takePicture(page, 'scanner-offline-unknown');
    expect(await violationsOf(page)).toEqual([]);
    expect(await event.checkinsOf(ada.id)).toEqual([]);
    await waitUntilSent(device);
    expect(await event.checkinsOf(ada.id)).toMatchObject([
      { deviceId: device.id, overruled: false },
    ]);
    expect(await event.checkinsOf(gone.id)).toEqual([]);
    expect(await scanBadge(page, ada.checkinCode)).toMatchObject({ kind: 'already' });
  });

  test('counts whom it lets in at once, also after its page was opened again', async ({
    newDevice,
  }) => {
    const [olga, otto] = [await event.register('Olga Count'), await event.register('Otto Count')];
    const foyer = {
      businessUnitId: event.unitId,
      eventId: event.entrance.subjectId,
      name: 'Foyer',
    };
    const { id: subjectId } = await platform.operator.call(createVenue, foyer);
    const device = await newDevice({ door: { subjectType: 'venue', subjectId } });
    const shown = (count: number) =>
      device.page.getByText(new RegExp(`^${count} at this door · `)).waitFor();
    await shown(0);
    await device.context.setOffline(true);
    for (const { checkinCode } of [olga, otto]) {
      await scanOffline(device.page, checkinCode, 'Welcome');
    }
    await shown(2);
    await reopen(device, platform);
    await shown(2);
    await waitUntilSent(device);
    await shown(2);
  });

  test('shows whom it has let in and the platform cannot record, until somebody has noted it', async ({
    newDevice,
  }) => {
    const [first, second] = [await event.register('Uma First'), await event.register('Uli Second')];
    const device = await newDevice();
    await device.context.setOffline(true);
    await scanOffline(device.page, first.checkinCode, 'Welcome');
    const [scanId = ''] = await device.page.evaluate<string[]>(scanIds());
    await waitUntilSent(device);
    await device.context.setOffline(true);
    await scanOffline(device.page, second.checkinCode, 'Welcome');
    // As after the browser was restored from a copy, the number of the scan was used before.
    await device.page.evaluate(scanIds(scanId));
    await device.page.getByText('could not be recorded').waitFor({ state: 'detached' });
    await waitUntilSent(device);
    const { page } = device;
    const notice = (page: Page) => page.getByRole('alert').filter({ hasText: 'be recorded' });
    const words = `${second.checkinCode} · another scan has the same number`;
    await notice(page).getByText(words).waitFor();
    expect(await notice(page).textContent()).toContain('1 person whom this device let in');
    await takePicture(page, 'scanner-unrecorded');
    expect(await violationsOf(page)).toEqual([]);
    expect(await event.checkinsOf(second.id)).toEqual([]);
    await reopen(device, platform);
    await notice(device.page).getByText(words).waitFor();
    await device.page.getByRole('button', { name: 'Noted' }).click();
    await notice(device.page).waitFor({ state: 'detached' });
    await reopen(device, platform);
    await device.page.getByText('Online', { exact: true }).waitFor();
    expect(await notice(device.page).count()).toBe(0);
  });

  test('opens again, and loses no scan when its page is closed before it is sent', async ({
    newDevice,
  }) => {
    const mary = await event.register('Mary Closed');
    const device = await newDevice();
    await device.context.setOffline(true);
    await scanOffline(device.page, mary.checkinCode, 'Welcome');
    await reopen(device, platform);
    await unsent(device.page, 1).waitFor();
    await scanOffline(device.page, mary.checkinCode, 'Already inside');
    await waitUntilSent(device);
    expect(await event.checkinsOf(mary.id)).toHaveLength(1);
  });

  test('knows a badge that the platform has let in at this device before', async ({
    newDevice,
  }) => {
    const rita = await event.register('Rita Return');
    const { page, context } = await newDevice();
    expect(await scanBadge(page, rita.checkinCode)).toMatchObject({ kind: 'admitted' });
    await context.setOffline(true);
    await scanOffline(page, rita.checkinCode, 'Already inside');
    expect(await page.getByText(/not sent yet/).count()).toBe(0);
  });

  test('refuses a badge whose gate is closed, and lets nobody unpair it with scans that are not sent', async ({
    newDevice,
  }) => {
    const lena = await event.register('Lena Lounge');
    const device = await newDevice({ door: event.lounge });
    const { page, context } = device;
    await context.setOffline(true);
    await scanOffline(page, lena.checkinCode, 'Not this door');
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
    await event.register(
      'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren',
      'w@example.com',
    );
    const device = await newDevice({ showNames: true });
    const { page, context } = device;
    await context.setOffline(true);
    await page.getByText('Find by name').click();
    await page.getByLabel('Name', { exact: true }).fill('nobody at all');
    await page.getByText('No person has this name.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('wolf');
    await page.getByRole('button', { name: /^Wolfe/ }).waitFor();
    const scrolls = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await page.evaluate(scrolls)).toBe(false);
    await page.getByLabel('Name', { exact: true }).fill('zoe');
    expect(await violationsOf(page)).toEqual([]);
    const verdict = await nextVerdict(page);
    await page.getByRole('button', { name: 'Zoë Nobadge' }).click();
    const welcome = expect.stringMatching(/Welcome.*Zoë Nobadge/);
    expect(await verdict()).toEqual({ kind: 'admitted', text: welcome });
    await waitUntilSent(device);
    expect(await event.checkinsOf(zoe.id)).toHaveLength(1);
    const nameless = await newDevice();
    expect(await nameless.page.getByText('Find by name').count()).toBe(0);
  });

  test('reports the time of a scan rightly when its clock is corrected before it is sent', async ({
    newDevice,
  }) => {
    const cora = await event.register('Cora Clock');
    const device = await newDevice();
    const { page, context } = device;
    await context.setOffline(true);
    const before = Date.now();
    await scanOffline(page, cora.checkinCode, 'Welcome');
    const after = Date.now();
    await page.evaluate('(() => { const now = Date.now; Date.now = () => now() + 300_000; })()');
    await waitUntilSent(device);
    const [checkin] = await event.checkinsOf(cora.id);
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
  await scanOffline(first.page, eve.checkinCode, 'Welcome');
  expect(await scanBadge(second.page, eve.checkinCode)).toMatchObject({ kind: 'admitted' });
  await waitUntilSent(first);
  await first.page.getByText('1 badge was let in by another device, too').waitFor();
  expect(await event.checkinsOf(eve.id)).toMatchObject([{ deviceId: second.id }]);
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
    await scanOffline(page, nora.checkinCode, 'Welcome');
  });
});
