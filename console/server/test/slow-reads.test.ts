import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrowserClient } from './browser-client.ts';
import { startTestConsole, type TestConsole } from './harness.ts';

let app: TestConsole;
let organizer: BrowserClient;
/** Ends the requests that hang. */
let release: () => void;

beforeAll(async () => {
  app = await startTestConsole({ slowReadMs: 200 });
  organizer = await app.signIn('oskar');
  await app.join(organizer, 'unit_hanging', 'organizer');
});
afterAll(() => app?.close());

const base = '/api/units/unit_hanging';
const readEvent = () => organizer.send(`${base}/v1/events/evt_1`);
const probes = () => app.owners.received.filter(({ url }) => url === '/readyz');

/** Lets all requests hang until `release`, and also the probes of an owner that is not ready. */
function hang({ isReady }: { isReady: boolean }): void {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  release = resolve;
  app.owners.received.length = 0;
  app.owners.respondWith(async ({ url }, response) => {
    if (url !== '/readyz' || !isReady) await released;
    response.setHeader('content-type', 'application/json').end('{"ok":true}');
  });
}

test('reads of a part that hangs end after a check of the part and name it, a change waits', async () => {
  hang({ isReady: false });
  const command = `${base}/operator/event.setFeatures`;
  const change = organizer.post(command, { businessUnitId: 'unit_hanging', eventId: 'evt_1' });
  let isChanged = false;
  void change.then(() => {
    isChanged = true;
  });
  const reads = [
    readEvent(),
    readEvent(),
    organizer.post(`${base}/operator/event.list`, { businessUnitId: 'unit_hanging' }),
  ];
  for (const { status, json } of await Promise.all(reads)) {
    expect([status, json().error.details]).toEqual([504, [{ owner: 'catalog' }]]);
  }
  // The reads share one check. Without it they would end with their own timeout.
  expect(probes()).toHaveLength(1);
  expect(isChanged).toBe(false);
  release();
  expect((await change).status).toBe(200);
});

test('a slow read of a part that is ready goes on', async () => {
  hang({ isReady: true });
  const read = readEvent();
  await eventually(async () => expect(probes()).toHaveLength(1));
  release();
  const { status, json } = await read;
  expect([status, json()]).toEqual([200, { ok: true }]);
});
