import { expect, onTestFinished, test, vi } from 'vitest';
import type { Badge } from './badge.ts';
import { createDrawer } from './drawer.ts';

const badge: Badge = {
  eventName: 'Spring Summit',
  name: 'Ada Lovelace',
  company: null,
  ticketTypeName: 'Standard',
  checkinCode: 'CHK-7D2M9QK4X1T8VBNA',
};
const job = { format: 'svg', badge } as const;

function openDrawer(waits: { timeoutMs: number; loadMs: number }) {
  const drawer = createDrawer({ idleMs: 30_000, maxWaiting: 10, ...waits });
  onTestFinished(() => drawer.close());
  return drawer;
}

const unavailable = { status: 'UNAVAILABLE' };

test('a retry gets its badge although the first request did not wait for the thread to load', async () => {
  const patient = openDrawer({ timeoutMs: 30_000, loadMs: 30_000 });
  const timeOf = async (): Promise<number> => {
    const began = performance.now();
    await patient.draw(job);
    return performance.now() - began;
  };
  const [load, ...badges] = [await timeOf(), await timeOf(), await timeOf(), await timeOf()];
  // Less than a thread needs to load on this machine, more than it needs for a badge.
  const timeoutMs = Math.sqrt(load * Math.max(...badges));
  const drawer = openDrawer({ timeoutMs, loadMs: 30_000 });
  await expect(drawer.draw(job)).rejects.toMatchObject(unavailable);
  const svg = await vi.waitUntil(() => drawer.draw(job).catch(() => null), { timeout: 20_000 });
  expect(svg.toString()).toContain('<title>Ada Lovelace');
});

test('a thread that does not load in time ends, and its requests get a 503', async () => {
  const drawer = openDrawer({ timeoutMs: 30_000, loadMs: 1 });
  await expect(drawer.draw(job)).rejects.toMatchObject(unavailable);
});
