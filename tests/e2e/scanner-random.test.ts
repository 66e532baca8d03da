import { createRandom } from '@event-api/platform/testing/random';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { newScannerDevice, reopen, type ScannerDevice, waitUntilSent } from './scanner/device.ts';
import { newScannerEvent, typeBadge } from './scanner/event.ts';

const runs = process.env.TEST_SIZE === 'full' ? 200 : 5;
const stepCount = 12;

let platform: PlatformFixture;
let browser: Browser;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), launchBrowser()]);
}, 600_000);
afterAll(async () => {
  await browser?.close();
});

interface Person {
  id: string;
  checkinCode: string;
}

/** What the people at two doors have seen. */
interface Seen {
  /** How many green screens a person got. */
  green: Map<string, number>;
  /** People whose page was closed before its screen was seen: it may have let them in. */
  unseen: Map<string, number>;
}

const increase = (counts: Map<string, number>, { id }: Person) =>
  counts.set(id, (counts.get(id) ?? 0) + 1);
const sumOf = (counts: Map<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);

const steps = [
  'scan',
  'scan',
  'scan',
  'scan and lose the network',
  'scan and close',
  'network',
  'reopen',
  'clock',
] as const;

async function runStep(
  step: (typeof steps)[number],
  device: ScannerDevice,
  { person, seen, isOffline }: { person: Person; seen: Seen; isOffline: boolean },
): Promise<void> {
  const { context } = device;
  if (step === 'network') return context.setOffline(isOffline);
  if (step === 'reopen') return reopen(device, platform);
  if (step === 'clock') {
    const shiftMs = isOffline ? 300_000 : -300_000;
    const script = `(() => { const now = Date.now; Date.now = () => now() + ${shiftMs}; })()`;
    await device.page.evaluate(script);
    return;
  }
  await typeBadge(device.page, person.checkinCode);
  if (step === 'scan and close') {
    increase(seen.unseen, person);
    return reopen(device, platform);
  }
  if (step === 'scan and lose the network') await context.setOffline(true);
  const verdict = device.page.locator('.result');
  await verdict.waitFor();
  if ((await verdict.getAttribute('data-kind')) === 'admitted') increase(seen.green, person);
}

test.concurrent.each(Array.from({ length: runs }, (_, index) => 1000 + index))(
  'after two devices at one door lost their network at random, everybody who was let in is inside once (seed %i)',
  async (seed) => {
    const random = createRandom(seed).below;
    const event = await newScannerEvent(platform);
    const people: Person[] = [];
    for (const name of ['Ada One', 'Bob Two', 'Cyd Three', 'Dan Four']) {
      people.push(await event.register(name));
    }
    const devices = [
      await newScannerDevice({ browser, event }),
      await newScannerDevice({ browser, event }),
    ];
    const seen: Seen = { green: new Map(), unseen: new Map() };
    const log: string[] = [];
    for (let count = 0; count < stepCount; count++) {
      const step = steps[random(steps.length)] ?? 'scan';
      const index = random(devices.length);
      const person = people[random(people.length)];
      const device = devices[index];
      const isOffline = random(2) === 0;
      if (!device || !person) throw new Error('there is no such device or person');
      log.push(`device ${index}: ${step}, ${person.id}, ${isOffline}`);
      await runStep(step, device, { person, seen, isOffline });
    }
    for (const device of devices) await waitUntilSent(device);

    const { checkins } = await event.steps.get(`${event.path}/checkins`);
    const inside: string[] = checkins.map(
      (each: { registrationId: string }) => each.registrationId,
    );
    const summary = await event.steps.get(`${event.path}/checkins/summary`);
    const [door] = summary.doors;
    const story = log.join('\n');
    expect(new Set(inside).size, story).toBe(inside.length);
    expect(inside, story).toEqual(expect.arrayContaining([...seen.green.keys()]));
    for (const id of inside) expect(seen.green.has(id) || seen.unseen.has(id), story).toBe(true);
    expect(door?.checkedIn ?? 0, story).toBe(inside.length);
    // Each green screen is a check-in or a contested scan, and so may be one that was not seen.
    const admitted = (door?.checkedIn ?? 0) + (door?.contested ?? 0);
    expect(admitted, story).toBeGreaterThanOrEqual(sumOf(seen.green));
    expect(admitted, story).toBeLessThanOrEqual(sumOf(seen.green) + sumOf(seen.unseen));
    for (const device of devices) {
      expect(device.failures, story).toEqual([]);
      await device.context.close();
    }
  },
);
