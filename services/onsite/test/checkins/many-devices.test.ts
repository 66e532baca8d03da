import { eventually } from '@event-api/platform/testing/eventually';
import { untilDecided } from '@event-api/platform/testing/until-decided';
import { expect, test } from 'vitest';
import { onsite, scope, useOnsite } from '../context.ts';
import { createTestRegistration, succeeded } from '../fixtures.ts';
import { device, scanOf, send } from './devices.ts';

useOnsite();

/** More batches than the process has connections. */
const devicesCount = 15;

test('a single scan has a connection while more devices report their scans than there are connections', async () => {
  const people = await Promise.all(
    Array.from({ length: devicesCount + 1 }, () => createTestRegistration(onsite.sql, scope)),
  );
  const [guest, ...reported] = people;
  const devices = await Promise.all(reported.map((_, n) => device(`dev_${n}`)));
  const blocker = await onsite.database.session();
  try {
    // The transaction of a batch waits at its first insert; single scans do not write this table.
    await blocker.sql('begin');
    await blocker.sql('lock table onsite.scan in share mode');
    let recorded = 0;
    const sent = devices.map(async (client, n) => {
      const scans = [scanOf({ registrationId: reported[n]?.registrationId })];
      const response = await untilDecided(() => send(client, scans));
      recorded += 1;
      return response;
    });
    const { batches } = onsite.replica(0).deps;
    await eventually(async () => expect(batches.isFull(scope.eventId)).toBe(true));
    const single = await device('dev_single');
    const body = { registrationId: guest?.registrationId, subjectType: 'event' };
    const path = `/v1/events/${scope.eventId}/checkins`;
    succeeded(await single('POST', path, { body }), 201);
    expect(recorded).toBe(0);
    await blocker.sql('rollback');
    for (const response of await Promise.all(sent)) {
      expect(succeeded(response).results).toMatchObject([{ result: 'recorded' }]);
    }
  } finally {
    await blocker.end();
  }
});

test('a batch that cannot be recorded in time is a 503 and changes nothing, and is recorded when it is sent again', async () => {
  const { registrationId } = await createTestRegistration(onsite.sql, scope);
  const client = await device('dev_late');
  const { batches } = onsite.replica(0).deps;
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const busy = batches.run(scope.eventId, () => opened);
  const scans = [scanOf({ registrationId })];
  const late = send(client, scans);
  await eventually(async () => expect(batches.waiting()).toBe(1));
  const startedAt = performance.now();
  await expect.poll(() => performance.now() - startedAt, { timeout: 10_000 }).toBeGreaterThan(2000);
  open();
  await busy;
  expect((await late).status).toBe(503);
  expect(
    await onsite.sql('select 1 from onsite.scan where event_id = $1', [scope.eventId]),
  ).toEqual([]);
  expect(succeeded(await send(client, scans)).results).toMatchObject([{ result: 'recorded' }]);
});
