import type { HttpClient, TestResponse } from '@event-api/platform/testing/http-client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  createReserveRequest,
  createTestEvent,
  createTestTicketType,
  someEmail,
} from '../fixtures.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';
import { violatedInvariants } from '../invariants.ts';
import { startReplicaProcess } from '../replica-process.ts';

let service: TestRegistration;
let sql: TestRegistration['sql'];
beforeAll(async () => {
  service = await startRegistration();
  sql = service.sql;
});
afterAll(() => service?.close());
afterEach(async () => expect(await violatedInvariants(sql)).toEqual({}));

/** A response, or null if the connection broke. */
const orBroken = (response: Promise<TestResponse>): Promise<TestResponse | null> =>
  response.catch(() => null);

test('keeps every acknowledged change when a replica is killed under load', async () => {
  const scope = await createTestEvent(sql);
  const typeId = await createTestTicketType(sql, scope, { capacity: 40, allowWaitlist: true });
  const victim = await startReplicaProcess(service);
  const survivor = await service.as(scope.businessUnitId);
  const doomed = await victim.as(scope.businessUnitId);
  const path = `/v1/events/${scope.eventId}/registrations`;
  const acknowledged = new Map<string, string>();
  /** Registrations whose cancellation got no response may be in either status. */
  const unknown = new Set<string>();
  let victimResponses = 0;

  async function registerAndCancel(call: HttpClient, n: number): Promise<void> {
    const body = { email: someEmail(), registrationTypeId: typeId };
    const created = await orBroken(call('POST', path, { body }));
    if (!created) return;
    expect(created.status).toBe(201);
    const { id } = created.body.registration;
    acknowledged.set(id, 'active');
    if (call === doomed && ++victimResponses === 40) victim.kill();
    if (n % 3 !== 0) return;
    unknown.add(id);
    const left = await orBroken(call('POST', `${path}/${id}/cancel`));
    if (left?.status !== 200) return;
    acknowledged.set(id, 'cancelled');
    unknown.delete(id);
  }

  const storm = async (call: HttpClient, clients: number) => {
    await Promise.all(
      Array.from({ length: clients }, async () => {
        for (let n = 0; n < 12; n++) await registerAndCancel(call, n);
      }),
    );
  };
  await Promise.all([storm(doomed, 12), storm(survivor, 12)]);
  expect(await victim.ended).toBe('SIGKILL');
  const rows = await sql<{ id: string; status: string }>(
    'select id, status from registration.registration where event_id = $1',
    [scope.eventId],
  );
  const stored = new Map(
    rows.map(({ id, status }) => [id, status === 'cancelled' ? status : 'active']),
  );
  const lost = [...acknowledged].filter(
    ([id, state]) => !unknown.has(id) && stored.get(id) !== state,
  );
  expect(lost).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(100);
});

test.each(['admission.read', 'admission.written'])(
  'leaves nothing of a batch that is killed at %s',
  async (point) => {
    const scope = await createTestEvent(sql);
    const typeId = await createTestTicketType(sql, scope, { capacity: 1 });
    const victim = await startReplicaProcess(service, `kill:${point}`);
    const body = { email: someEmail(), registrationTypeId: typeId };
    const path = `/v1/events/${scope.eventId}/registrations`;
    const doomed = await victim.as(scope.businessUnitId);
    expect(await orBroken(doomed('POST', path, { body }))).toBeNull();
    expect(await victim.ended).toBe('SIGKILL');
    expect(
      await sql('select from registration.registration where event_id = $1', [scope.eventId]),
    ).toEqual([]);
    const survivor = await service.as(scope.businessUnitId);
    expect((await survivor('POST', path, { body })).status).toBe(201);
  },
);

test.each(['admission.read', 'admission.written'])(
  'keeps an order whose offered registration is being cancelled when a replica is killed at %s, and a retry releases both',
  async (point) => {
    const scope = await createTestEvent(sql);
    const fields = { capacity: 1, allowWaitlist: true, priceAmount: 2500 };
    const typeId = await createTestTicketType(sql, scope, fields);
    const survivor = await service.as(scope.businessUnitId);
    const path = `/v1/events/${scope.eventId}/registrations`;
    const email = someEmail();
    const join = async (each: string) =>
      (await survivor('POST', path, { body: { email: each, registrationTypeId: typeId } })).body
        .registration.id;
    const [first, waiting] = [await join(someEmail()), await join(email)];
    await survivor('POST', `${path}/${first}/cancel`);
    const input = createReserveRequest(scope, typeId, [email], { acceptsApproval: false });
    await service.replica(0).admission.submit(scope, { kind: 'reserve', input });
    const states = async () => {
      const rows = await sql<{ state: string }>(
        'select state from registration.seat_reservation where event_id = $1 order by registration_id nulls first',
        [scope.eventId],
      );
      return rows.map(({ state }) => state);
    };
    const victim = await startReplicaProcess(service, `kill:${point}`);
    const doomed = await victim.as(scope.businessUnitId);
    expect(await orBroken(doomed('POST', `${path}/${waiting}/cancel`))).toBeNull();
    expect(await victim.ended).toBe('SIGKILL');
    expect(await states()).toEqual(['active', 'taken']);
    expect((await survivor('POST', `${path}/${waiting}/cancel`)).body.status).toBe('cancelled');
    expect(await states()).toEqual(['released', 'released']);
  },
);
