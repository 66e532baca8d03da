import { browser, event, useScannerEvent } from '@event-api/e2e/scanner/context';
import {
  devicesOf,
  type NewDevice,
  type ScannerDevice,
  waitUntilSent,
} from '@event-api/e2e/scanner/device';
import { scanBadge, scanOffline } from '@event-api/e2e/scanner/scan';
import { eventually } from '@event-api/platform/testing/eventually';
import { test as base, expect } from 'vitest';

// Kind: a local memory that nothing invalidates.

useScannerEvent();

const test = base.extend<{ newDevice: NewDevice }>({
  newDevice: devicesOf(() => ({ browser, event })),
});

/** Gives the device a network until its roster says `text`, and takes it away again. */
async function readRosterWith({ page, context }: ScannerDevice, text: string): Promise<void> {
  await eventually(async () => {
    const response = page.waitForResponse(/\/checkins\/roster\?/);
    await context.setOffline(true);
    expect(await scanBadge(page, 'CHK-0000000000000000')).toMatchObject({ kind: 'unknown_badge' });
    await context.setOffline(false);
    expect(await (await response).text()).toContain(text);
  }, 60_000);
  await page.getByText(/^Ready for offline/).waitFor();
  await context.setOffline(true);
}

/** The people and doors of which the device knows that they were let in. */
const readInside = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('scanner');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const reading = opening.result.transaction('admissions').objectStore('admissions').getAllKeys();
    reading.onsuccess = () => resolve(reading.result);
    opening.result.close();
  };
})`;

// proofcarryingdata/zupass#694: a check-in is taken back, and a copy keeps the ticket as used.
test('a scanner that was online lets in a person whose check-in was undone, and the person is counted', async ({
  newDevice,
}) => {
  const { steps, path } = event;
  const { id, checkinCode } = await event.register('Una Undone');
  const device = await newDevice();
  expect(await scanBadge(device.page, checkinCode)).toMatchObject({ kind: 'admitted' });
  const [checkin] = await event.checkinsOf(id);
  await steps.post(`${path}/checkins/${checkin.id}/undo`, { reason: 'The wrong person.' });
  await readRosterWith(device, `${checkin.id}","registrationId":"${id}`);
  await eventually(() => scanOffline(device.page, checkinCode, 'Welcome'));
  await waitUntilSent(device);
  expect(await event.checkinsOf(id)).toMatchObject([{ deviceId: device.id }]);
});

test('a scanner knows offline whom another device has let in', async ({ newDevice }) => {
  const { id, checkinCode } = await event.register('Olga Other');
  const [device, other] = [await newDevice(), await newDevice()];
  expect(await scanBadge(other.page, checkinCode)).toMatchObject({ kind: 'admitted' });
  await readRosterWith(device, `"registrationId":"${id}","subjectType"`);
  await eventually(async () => {
    const inside = await device.page.evaluate(readInside);
    expect(inside).toContainEqual(expect.stringContaining(id));
  });
  await scanOffline(device.page, checkinCode, 'Already inside');
  expect(await device.page.getByText(/not sent yet/).count()).toBe(0);
});
