import type { EventScope } from '@event-api/contracts/internal/scope';
import type { HttpClient, TestResponse } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestEvent, createTestRegistration, succeeded } from '../fixtures.ts';
import { startOnsite, type TestOnsite } from '../harness.ts';
import { startReplicaProcess } from '../replica-process.ts';

let onsite: TestOnsite;
beforeAll(async () => {
  onsite = await startOnsite({ replicas: 2 });
});
afterAll(() => onsite?.close());

/** Scans one badge a hundred times concurrently at one door, alternating between two replicas. */
async function scanAHundredTimes(world: TestOnsite): Promise<TestResponse[]> {
  const scope = await createTestEvent(world);
  const { registrationId, checkinCode } = await createTestRegistration(world.sql, scope);
  const calls = await Promise.all([0, 1].map((n) => world.as(scope.businessUnitId, n)));
  const presented = [{ registrationId }, { checkinCode }];
  const path = `/v1/events/${scope.eventId}/checkins`;
  return Promise.all(
    Array.from({ length: 100 }, (_, n) => {
      const body = { ...presented[n % 2], subjectType: 'event' };
      return (calls[(n >> 1) % 2] as HttpClient)('POST', path, { body });
    }),
  );
}

const firstsOf = (responses: readonly TestResponse[]) =>
  responses.filter(({ status, body }) => status === 201 && body.alreadyCheckedIn === false);

test('exactly one of a hundred concurrent scans of a badge at a door is the first, over two replicas', async () => {
  const responses = await scanAHundredTimes(onsite);
  expect(firstsOf(responses)).toHaveLength(1);
  const ids = new Set(responses.map(({ body }) => body.checkin.id));
  expect(ids.size).toBe(1);
  expect(
    responses.filter(({ status, body }) => status === 200 && body.alreadyCheckedIn),
  ).toHaveLength(99);
});

test('more than one scan is the first without the unique index', async () => {
  const unguarded = await startOnsite({ replicas: 2 });
  try {
    await unguarded.sql('drop index onsite.checkin_once');
    expect(firstsOf(await scanAHundredTimes(unguarded)).length).toBeGreaterThan(1);
  } finally {
    await unguarded.close();
  }
});

/**
 * Scans one badge and undoes what it finds, concurrently over two replicas. Returns the statuses of
 * the scans, and the most check-ins that were live after a round.
 */
async function scanAndUndo(world: TestOnsite): Promise<{ statuses: number[]; mostLive: number }> {
  const scope = await createTestEvent(world);
  const { registrationId } = await createTestRegistration(world.sql, scope);
  const calls = await Promise.all([0, 1].map((n) => world.as(scope.businessUnitId, n)));
  const path = `/v1/events/${scope.eventId}/checkins`;
  const callOf = (n: number) => calls[n % 2] as HttpClient;
  const scan = async (n: number) => {
    const response = await callOf(n)('POST', path, {
      body: { registrationId, subjectType: 'event' },
    });
    const id = response.body.checkin?.id;
    if (n % 2 === 0 && id !== undefined) {
      succeeded(await callOf(n + 1)('POST', `${path}/${id}/undo`, { body: { reason: 'Race.' } }));
    }
    return response.status;
  };
  const statuses: number[] = [];
  let mostLive = 0;
  for (let round = 0; round < 15; round++) {
    statuses.push(...(await Promise.all(Array.from({ length: 24 }, (_, n) => scan(n)))));
    const { checkins } = succeeded(await callOf(round)('GET', path));
    const { checkedIn } = succeeded(await callOf(round)('GET', `${path}/summary`));
    expect(checkedIn).toBe(checkins.length);
    mostLive = Math.max(mostLive, checkins.length);
  }
  return { statuses, mostLive };
}

test('scans and undos of one badge succeed concurrently, and at most one check-in is live', async () => {
  const { statuses, mostLive } = await scanAndUndo(onsite);
  expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(1);
  expect(mostLive).toBeLessThanOrEqual(1);
});

test('several check-ins of one badge are live after undos without the unique index', async () => {
  const unguarded = await startOnsite({ replicas: 2 });
  try {
    await unguarded.sql('drop index onsite.checkin_once');
    expect((await scanAndUndo(unguarded)).mostLive).toBeGreaterThan(1);
  } finally {
    await unguarded.close();
  }
});

test('concurrent duplicate scans of many badges at many doors are each checked in once', async () => {
  const scope = await createTestEvent(onsite);
  const calls = await Promise.all([0, 1].map((n) => onsite.as(scope.businessUnitId, n)));
  const people = await Promise.all(
    Array.from({ length: 60 }, () => createTestRegistration(onsite.sql, scope)),
  );
  const path = `/v1/events/${scope.eventId}/checkins`;
  const responses = await Promise.all(
    calls.flatMap((call, n) =>
      (n === 0 ? people : people.toReversed()).map(({ registrationId }) =>
        call('POST', path, { body: { registrationId, subjectType: 'event' } }),
      ),
    ),
  );
  expect(firstsOf(responses)).toHaveLength(60);
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(60);
});

/** Scans until the process `victim` ends. Returns the ids of the check-ins with a response. */
async function storm(
  scope: EventScope,
  people: readonly { registrationId: string }[],
  doomed: HttpClient,
  onResponse: (count: number) => void,
): Promise<string[]> {
  const acknowledgedIds: string[] = [];
  const left = [...people];
  const path = `/v1/events/${scope.eventId}/checkins`;
  const scanner = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const body = { registrationId: next.registrationId, subjectType: 'event' };
      const response = await doomed('POST', path, { body }).catch(() => null);
      if (!response) return;
      acknowledgedIds.push(succeeded(response, 201).checkin.id);
      onResponse(acknowledgedIds.length);
    }
  };
  await Promise.all(Array.from({ length: 16 }, scanner));
  return acknowledgedIds;
}

test('a process killed under load loses no check-in that it responded with', async () => {
  const scope = await createTestEvent(onsite);
  const people = await Promise.all(
    Array.from({ length: 300 }, () => createTestRegistration(onsite.sql, scope)),
  );
  const victim = await startReplicaProcess(onsite);
  const doomed = await victim.as(scope.businessUnitId);
  const acknowledgedIds = await storm(scope, people, doomed, (count) => {
    if (count === 100) victim.kill();
  });
  expect(await victim.ended).toBe('SIGKILL');
  expect(acknowledgedIds.length).toBeGreaterThanOrEqual(100);
  expect(acknowledgedIds.length).toBeLessThan(people.length);
  const restarted = await startReplicaProcess(onsite);
  const call = await restarted.as(scope.businessUnitId);
  const { checkins } = succeeded(await call('GET', `/v1/events/${scope.eventId}/checkins`));
  restarted.kill();
  await restarted.ended;
  const storedIds = new Set(checkins.map(({ id }: { id: string }) => id));
  expect(acknowledgedIds.filter((id) => !storedIds.has(id))).toEqual([]);
});
