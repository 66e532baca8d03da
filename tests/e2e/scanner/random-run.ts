import { createRandom } from '@event-api/platform/testing/random';
import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { newScannerDevice, reopen, type ScannerDevice, waitUntilSent } from './device.ts';
import { newScannerEvent, type Person, type ScannerEvent, type ScannerPlatform } from './event.ts';
import { nextVerdict, typeBadge } from './scan.ts';

const stepCount = 12;

/** An event with four people and two devices at one door. */
export interface RandomRun {
  platform: ScannerPlatform;
  seed: number;
  event: ScannerEvent;
  people: Person[];
  devices: ScannerDevice[];
}

/** What the people at two doors have seen. */
interface Seen {
  /** How many green screens a person got. */
  green: Map<string, number>;
  /** People whose page was closed before its screen was seen: it may have let them in. */
  unseen: Map<string, number>;
  /** People who got a green screen after the last undo of their check-in. */
  inside: Set<string>;
}

interface Checkin {
  id: string;
  registrationId: string;
  undoneAt: string | null;
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
const stepsWithUndo = [...steps, 'undo', 'undo during a scan'] as const;

const registrationOf = ({ registrationId }: Checkin): string => registrationId;

/** Undoes the check-in of a person, if the platform has one that is not undone. */
async function undoCheckin({ steps, path }: ScannerEvent, { id }: Person): Promise<void> {
  const { checkins } = await steps.get(`${path}/checkins`);
  const checkin = checkins.find(({ registrationId }: Checkin) => registrationId === id);
  if (checkin) await steps.post(`${path}/checkins/${checkin.id}/undo`, { reason: 'a mistake' });
}

interface Turn {
  event: ScannerEvent;
  person: Person;
  seen: Seen;
  isOffline: boolean;
  platform: ScannerPlatform;
}

async function runStep(
  step: (typeof stepsWithUndo)[number],
  device: ScannerDevice,
  { event, person, seen, isOffline, platform }: Turn,
): Promise<void> {
  const { context } = device;
  if (step === 'undo') {
    seen.inside.delete(person.id);
    return undoCheckin(event, person);
  }
  if (step === 'network') return context.setOffline(isOffline);
  if (step === 'reopen') return reopen(device, platform);
  if (step === 'clock') {
    const shiftMs = isOffline ? 300_000 : -300_000;
    const script = `(() => { const now = Date.now; Date.now = () => now() + ${shiftMs}; })()`;
    await device.page.evaluate(script);
    return;
  }
  const undone = step === 'undo during a scan' && undoCheckin(event, person);
  const verdict = await nextVerdict(device.page);
  await typeBadge(device.page, person.checkinCode);
  if (step === 'scan and close') {
    increase(seen.unseen, person);
    return reopen(device, platform);
  }
  if (step === 'scan and lose the network') await context.setOffline(true);
  if ((await verdict()).kind === 'admitted') {
    increase(seen.green, person);
    seen.inside.add(person.id);
  }
  if (!undone) return;
  await undone;
  // The scan may have been before the undo or after it.
  seen.inside.delete(person.id);
}

/** Registers the people and pairs the devices of a run. */
export async function prepareRun(
  { platform, browser }: { platform: ScannerPlatform; browser: Browser },
  seed: number,
): Promise<RandomRun> {
  const event = await newScannerEvent(platform);
  const people: Person[] = [];
  for (const name of ['Ada One', 'Bob Two', 'Cyd Three', 'Dan Four']) {
    people.push(await event.register(name));
  }
  const devices: ScannerDevice[] = [];
  for (let n = 0; n < 2; n++) devices.push(await newScannerDevice({ browser, event }));
  return { platform, seed, event, people, devices };
}

/**
 * Scans, undoes check-ins, cuts networks, moves clocks and closes pages in a random order that
 * `seed` decides, then checks that everybody who was let in is recorded as inside exactly once.
 * Calls `onStep` after each step.
 */
export async function playRun(
  { platform, seed, event, people, devices }: RandomRun,
  onStep: () => void = () => {},
): Promise<void> {
  const random = createRandom(seed).below;
  // Half of the runs have no undo: only their check-ins can be counted exactly.
  const hasUndo = seed % 2 === 0;
  const possible = hasUndo ? stepsWithUndo : steps;
  const seen: Seen = { green: new Map(), unseen: new Map(), inside: new Set() };
  const log: string[] = [];
  for (let count = 0; count < stepCount; count++) {
    const step = possible[random(possible.length)] ?? 'scan';
    const index = random(devices.length);
    const person = people[random(people.length)];
    const device = devices[index];
    const isOffline = random(2) === 0;
    if (!device || !person) throw new Error('there is no such device or person');
    log.push(`device ${index}: ${step}, ${person.id}, ${isOffline}`);
    await runStep(step, device, { event, person, seen, isOffline, platform });
    onStep();
  }
  for (const device of devices) await waitUntilSent(device);
  await expectRecordedOnce(event, seen, { hasUndo, log });
  for (const device of devices) {
    expect(device.failures, log.join('\n')).toEqual([]);
    await device.context.close();
  }
}

/** Errors: the check-ins and counts of the platform contradict what the people have seen. */
async function expectRecordedOnce(
  event: ScannerEvent,
  seen: Seen,
  { hasUndo, log }: { hasUndo: boolean; log: string[] },
): Promise<void> {
  const { checkins } = await event.steps.get(`${event.path}/checkins?include=undone`);
  const all: Checkin[] = checkins;
  const recorded = new Set(all.map(registrationOf));
  const inside = all.filter(({ undoneAt }) => undoneAt === null).map(registrationOf);
  const summary = await event.steps.get(`${event.path}/checkins/summary`);
  const [door] = summary.doors;
  const story = log.join('\n');
  expect(new Set(inside).size, story).toBe(inside.length);
  expect([...recorded], story).toEqual(expect.arrayContaining([...seen.green.keys()]));
  for (const id of recorded) expect(seen.green.has(id) || seen.unseen.has(id), story).toBe(true);
  // A device whose clock was wrong before its page was closed may date a scan on the other side of
  // an undo.
  const hasRightClocks = !log.some((line) => line.includes(': clock,'));
  if (hasRightClocks) expect(inside, story).toEqual(expect.arrayContaining([...seen.inside]));
  expect(door?.checkedIn ?? 0, story).toBe(inside.length);
  // Each green screen is a check-in, undone or not, or a contested scan.
  const admitted = all.length + (door?.contested ?? 0);
  const green = sumOf(seen.green);
  if (!hasUndo || hasRightClocks) expect(admitted, story).toBeGreaterThanOrEqual(green);
  // So may be one that was not seen. A lost response may be of a scan that is undone before the
  // device reports it again.
  if (!hasUndo) expect(admitted, story).toBeLessThanOrEqual(green + sumOf(seen.unseen));
}
