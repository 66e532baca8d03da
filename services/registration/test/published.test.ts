import type { Snapshot } from '@event-api/contracts/messages/snapshot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createReserveRequest,
  createTestCode,
  createTestEvent,
  createTestTicketType,
  someEmail,
} from './fixtures.ts';
import { startRegistration, type TestRegistration } from './harness.ts';
import { createTestAddon, createTestPerk, register, succeeded } from './projection-fixtures.ts';

let service: TestRegistration;
let sql: TestRegistration['sql'];
beforeAll(async () => {
  service = await startRegistration();
  sql = service.sql;
});
afterAll(() => service?.close());

/** All snapshots of one record in the outbox, oldest first. */
async function publishedSnapshots(type: string, id: string): Promise<Snapshot[]> {
  const rows = await sql<{ payload: string }>(
    'select payload from registration.outbox_message order by created_at',
  );
  const all: Snapshot[] = rows.flatMap(({ payload }) => JSON.parse(payload));
  return all.filter((each) => each.type === type && each.aggregateId === id);
}

const statusesOf = async (id: string) =>
  (await publishedSnapshots('registration.registration', id)).map(({ data }) => data.status);

test('emits a registration at every change of its status, each time with a newer version', async () => {
  const scope = await createTestEvent(sql);
  const registrationTypeId = await createTestTicketType(sql, scope, { requiresApproval: true });
  const call = await service.as(scope.businessUnitId);
  const { id } = await register(call, scope, { registrationTypeId });
  const path = `/v1/events/${scope.eventId}/registrations/${id}`;
  for (const verb of ['approve', 'cancel']) succeeded(await call('POST', `${path}/${verb}`));
  expect(await statusesOf(id)).toEqual(['pending', 'confirmed', 'cancelled']);
  const snapshots = await publishedSnapshots('registration.registration', id);
  const versions = snapshots.map(({ version }) => version);
  expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
  expect(snapshots.map(({ data }) => data.endedWithEvent)).toEqual([null, null, false]);
});

test('emits the fields that a check-in needs, with the name and without the email', async () => {
  const scope = await createTestEvent(sql);
  const registrationTypeId = await createTestTicketType(sql, scope);
  const { id: redemptionCodeId, code } = await createTestCode(sql, scope, registrationTypeId);
  const call = await service.as(scope.businessUnitId);
  const body = { registrationTypeId, redemptionCode: code, name: 'Ada Lovelace' };
  const { id, checkinCode } = await register(call, scope, body);
  const [snapshot] = await publishedSnapshots('registration.registration', id);
  expect(snapshot).toMatchObject({ businessUnitId: scope.businessUnitId, eventId: scope.eventId });
  expect(snapshot?.data).toEqual({
    name: 'Ada Lovelace',
    replacedCheckinCodes: [],
    status: 'confirmed',
    type: 'attendee',
    checkinCode,
    ticketTypeId: registrationTypeId,
    addonIds: [],
    redemptionCodeId,
    orderId: null,
    seatId: null,
    cancelledAt: null,
    endedWithEvent: null,
    grantedPerkIds: [],
  });
});

test('emits every promoted registration and every registration of a large reservation', async () => {
  const scope = await createTestEvent(sql);
  const registrationTypeId = await createTestTicketType(sql, scope, {
    capacity: 1,
    allowWaitlist: true,
  });
  const call = await service.as(scope.businessUnitId);
  const [first, second] = [
    await register(call, scope, { registrationTypeId }),
    await register(call, scope, { registrationTypeId }),
  ];
  const path = `/v1/events/${scope.eventId}/registrations`;
  succeeded(await call('POST', `${path}/${first.id}/cancel`));
  expect(await statusesOf(second.id)).toEqual(['waitlisted', 'confirmed']);

  const typeId = await createTestTicketType(sql, scope);
  const addonId = await createTestAddon(sql, scope);
  const emails = Array.from({ length: 40 }, someEmail);
  const { admission } = service.replica(0);
  const request = { ...createReserveRequest(scope, typeId, emails), addonIds: [addonId] };
  await admission.submit(scope, { kind: 'reserve', input: request });
  const { result } = await admission.submit(scope, {
    kind: 'fulfil',
    input: { ...request, reacquire: false },
  });
  if (result.outcome !== 'fulfilled') throw new Error(result.outcome);
  const registered = await sql<{ id: string }>(
    'select id from registration.registration where order_id = $1 order by insertion_order',
    [request.reservationId],
  );
  expect(registered).toHaveLength(emails.length);
  const published = await Promise.all(
    registered.map(({ id }) => publishedSnapshots('registration.registration', id)),
  );
  expect(published.map(({ length }) => length)).toEqual(emails.map(() => 1));
  const withAddon = published.flat().filter(({ data }) => `${data.addonIds}` === addonId);
  expect(withAddon.map(({ aggregateId }) => aggregateId)).toEqual([registered[0]?.id]);
});

test('emits a grant and its revocation, and nothing when nothing changes', async () => {
  const scope = await createTestEvent(sql);
  const registrationTypeId = await createTestTicketType(sql, scope);
  const perkId = await createTestPerk(sql, scope);
  const call = await service.as(scope.businessUnitId);
  const { id: registrationId } = await register(call, scope, { registrationTypeId });
  const operator = await service.operator();
  for (const verb of ['grant', 'grant', 'revoke', 'revoke']) {
    const body = { ...scope, registrationId, perkId };
    succeeded(await operator('POST', `/operator/perk.${verb}`, { body }));
  }
  const snapshots = await publishedSnapshots('registration.registration', registrationId);
  expect(snapshots.map(({ data }) => data.grantedPerkIds)).toEqual([[], [perkId], []]);
});

test('emits a code once it delivers a perk, and no codes without perks', async () => {
  const scope = await createTestEvent(sql);
  const registrationTypeId = await createTestTicketType(sql, scope);
  const perkId = await createTestPerk(sql, scope);
  const call = await service.as(scope.businessUnitId);
  const path = `/v1/events/${scope.eventId}/redemption-codes`;
  const created = succeeded(
    await call('POST', path, { body: { registrationTypeId, count: 1000 } }),
    201,
  );
  const targetId = created.redemptionCodes[500].id;
  const operator = await service.operator();
  for (const verb of ['bind', 'bind', 'unbind']) {
    const body = { ...scope, perkId, targetType: 'redemption_code', targetId };
    succeeded(await operator('POST', `/operator/perk.${verb}`, { body }));
  }
  const snapshots = await publishedSnapshots('registration.redemption_code', targetId);
  expect(snapshots.map(({ data }) => data.perkIds)).toEqual([[perkId], []]);
  const others = await Promise.all(
    created.redemptionCodes
      .slice(0, 3)
      .map(({ id }: { id: string }) => publishedSnapshots('registration.redemption_code', id)),
  );
  expect(others.flat()).toEqual([]);
});
