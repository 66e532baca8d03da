import { browser, event, useScannerEvent } from '@event-api/e2e/scanner/context';
import { devicesOf, type NewDevice, unsent } from '@event-api/e2e/scanner/device';
import { scanOffline } from '@event-api/e2e/scanner/scan';
import { eventually } from '@event-api/platform/testing/eventually';
import { test as base, expect } from 'vitest';

// Kind: one entry that is never accepted holds up all others, without a word.

useScannerEvent();

const test = base.extend<{ newDevice: NewDevice }>({
  newDevice: devicesOf(() => ({ browser, event })),
});

/** Stores a copy of the first scan with an id that the platform rejects. */
const spoil = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('scanner');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const changing = opening.result.transaction('scans', 'readwrite');
    const scans = changing.objectStore('scans');
    const reading = scans.getAll();
    reading.onsuccess = () => scans.put({ ...reading.result[0], scanId: 'no id of a scan' });
    changing.oncomplete = () => resolve(opening.result.close());
  };
})`;

// khushi897920-lang/hercycle-ai#308, ibuilder/massing#475: an entry that the server refuses blocks an
// offline queue for ever, and nobody sees why.
test('a scan that the platform rejects stays with its cause, and the others are sent', async ({
  newDevice,
}) => {
  const people = [await event.register('Ann One'), await event.register('Ben Two')];
  const device = await newDevice();
  const { page, context } = device;
  await context.setOffline(true);
  for (const { checkinCode } of people) await scanOffline(page, checkinCode, 'Welcome');
  await page.evaluate(spoil);
  await context.setOffline(false);
  await page
    .getByText('1 scan is not accepted by the platform: scanId must have 1 to 64 characters')
    .waitFor();
  for (const { id } of people) {
    await eventually(async () => {
      expect(await event.checkinsOf(id)).toMatchObject([{ deviceId: device.id }]);
    });
  }
  await unsent(page, 1).waitFor();
});
