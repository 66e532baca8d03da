import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { listConflicts } from '@event-api/contracts/operator/conflicts';
import { launchBrowser } from '@event-api/platform/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { writeFilm } from './camera-film.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { newScannerDevice, waitUntilSent } from './scanner/device.ts';
import { newScannerEvent, type ScannerEvent } from './scanner/event.ts';
import { nextVerdict } from './scanner/scan.ts';

let platform: PlatformFixture;
let browsers: Browser[] = [];
let event: ScannerEvent;
/** The registration whose badge both cameras see. */
let registrationId: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  event = await newScannerEvent(platform);
  const { id, checkinCode } = await event.register('Grace Hopper');
  registrationId = id;
  const film = join(mkdtempSync(join(inject('runFolder'), 'camera-')), 'badge.y4m');
  writeFilm(film, checkinCode);
  const flags = [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ];
  browsers = await Promise.all([launchBrowser(flags), launchBrowser(flags)]);
}, 600_000);
afterAll(async () => {
  await Promise.all(browsers.map((browser) => browser.close()));
});

async function film(page: Page): Promise<void> {
  const verdict = await nextVerdict(page);
  await page.getByRole('button', { name: 'Use the camera' }).click();
  expect(await verdict()).toMatchObject({ kind: 'admitted' });
}

test('a badge in front of two cameras at one door, one of them offline, is inside once and contested', async () => {
  const [online, offline] = await Promise.all(
    browsers.map((browser) => newScannerDevice({ browser, event })),
  );
  if (!online || !offline) throw new Error('two devices were not paired');
  await offline.context.setOffline(true);
  await film(offline.page);
  await offline.page.getByText('1 scan is not sent yet').waitFor();
  await film(online.page);
  await waitUntilSent(offline);
  const { checkins } = await event.steps.get(
    `${event.path}/checkins?registrationId=${registrationId}`,
  );
  expect(checkins).toMatchObject([{ deviceId: online.id, overruled: false }]);
  const scope = { businessUnitId: event.unitId, eventId: event.entrance.subjectId };
  const { conflicts } = await platform.operator.call(listConflicts, scope);
  expect(conflicts).toMatchObject([
    { kind: 'contested', source: offline.id, other: { source: online.id } },
  ]);
  const { checkedIn, doors } = await event.steps.get(`${event.path}/checkins/summary`);
  expect(checkedIn).toBe(1);
  expect(doors).toContainEqual(
    expect.objectContaining({ subjectType: 'event', checkedIn: 1, contested: 1, admitted: 2 }),
  );
  expect([...online.failures, ...offline.failures]).toEqual([]);
});
