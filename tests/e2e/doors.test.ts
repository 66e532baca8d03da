import { randomUUID } from 'node:crypto';
import { explainCheckin } from '@event-api/contracts/operator/checkins';
import { bindPerk, createPerk, unbindPerk } from '@event-api/contracts/operator/perks';
import { createSession, createVenue } from '@event-api/contracts/operator/program';
import { resyncProjections } from '@event-api/contracts/operator/projections';
import {
  bindCodePerk,
  grantPerk,
  revokePerk,
  unbindCodePerk,
} from '@event-api/contracts/operator/registration-perks';
import { eventually } from '@event-api/platform/testing/eventually';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BusFixture, createBusFixture, expectStatus, openEvent } from './fixtures/bus.ts';

let bus: BusFixture;
let call: HttpClient;
let businessUnitId: string;

beforeAll(async () => {
  bus = await createBusFixture({ ownRedis: true });
  const { unitId, at } = await bus.newUnit();
  businessUnitId = unitId;
  call = at(bus.gatewayUrl);
});
afterAll(() => bus?.stop());

const randomEmail = () => `${randomUUID()}@example.com`;

type OpenEvent = Awaited<ReturnType<typeof openEvent>>;

const register = async (
  { path, typeId }: Pick<OpenEvent, 'path' | 'typeId'>,
  more: object = {},
) => {
  const body = { email: randomEmail(), registrationTypeId: typeId, ...more };
  return (await expectStatus(call, ['POST', `${path}/registrations`, body], 201)).registration;
};

/** Scans a badge. Returns the status, or the reason of a rejection. */
async function scan({ path }: { path: string }, body: object): Promise<unknown> {
  const response = await call('POST', `${path}/checkins`, { body });
  return response.body.error?.details?.[0]?.reason ?? response.status;
}

const eventDoor = { subjectType: 'event' };
const timedOn = (day: number) => ({
  startsAt: `2027-05-${day}T09:00:00Z`,
  endsAt: `2027-05-${day}T10:00:00Z`,
});

test('a scan sees the latest status of a registration', async () => {
  const event = await openEvent(call);
  for (let turn = 0; turn < 10; turn++) {
    const { id: registrationId, checkinCode } = await register(event);
    expect(await scan(event, { checkinCode, ...eventDoor })).toBe(201);
    expect(await scan(event, { registrationId, ...eventDoor })).toBe(200);
    await expectStatus(call, ['POST', `${event.path}/registrations/${registrationId}/cancel`]);
    expect(await scan(event, { checkinCode, ...eventDoor })).toBe('NOT_CONFIRMED');
  }
  const jury = await openEvent(call, { requiresApproval: true });
  for (let turn = 0; turn < 5; turn++) {
    const { id: registrationId } = await register(jury);
    expect(await scan(jury, { registrationId, ...eventDoor })).toBe('NOT_CONFIRMED');
    await expectStatus(call, ['POST', `${jury.path}/registrations/${registrationId}/approve`]);
    expect(await scan(jury, { registrationId, ...eventDoor })).toBe(201);
  }
});

/**
 * A device that keeps the roster of an event: it reads what has changed, or everything after a
 * rebuild.
 */
function followRoster(path: string) {
  const badges = new Map<string, { registrationId: string; removed?: true }>();
  const device = { badges, cursor: '', expired: 0, read };
  async function read(): Promise<void> {
    const query = device.cursor && `&cursor=${device.cursor}`;
    const { status, body } = await call('GET', `${path}/checkins/roster?limit=4${query}`);
    if (status === 412) {
      device.expired += 1;
      device.cursor = '';
      badges.clear();
      return read();
    }
    if (status !== 200) return;
    for (const badge of body.badges) badges.set(badge.registrationId, badge);
    device.cursor = body.nextCursor;
    if (body.hasMore) await read();
  }
  return device;
}

test('a device that reads only changes has the whole roster, also when onsite is killed and rebuilt', async () => {
  const event = await openEvent(call);
  const device = followRoster(event.path);
  const registered: string[] = [];
  for (let round = 0; round < 3; round++) {
    const restarted = bus.processes
      .stop('onsite', 'SIGKILL')
      .then(() => bus.processes.restart('onsite'));
    for (let n = 0; n < 5; n++) registered.push((await register(event)).id);
    const cancelled = `${event.path}/registrations/${registered[round * 2]}/cancel`;
    await expectStatus(call, ['POST', cancelled]);
    await restarted;
    await device.read();
    if (round === 1) await bus.operator.call(resyncProjections('onsite'), { service: 'onsite' });
  }
  await eventually(async () => {
    await device.read();
    const whole = followRoster(event.path);
    await whole.read();
    expect([...whole.badges.keys()].toSorted()).toEqual(registered.toSorted());
    expect(new Map([...device.badges].toSorted())).toEqual(new Map([...whole.badges].toSorted()));
  });
  expect(device.expired).toBeGreaterThan(0);
});

test('a scan after a transfer rejects the former badge and admits the new one', async () => {
  const event = await openEvent(call);
  for (let turn = 0; turn < 5; turn++) {
    const { id: registrationId, checkinCode: former } = await register(event);
    const person = { email: randomEmail(), name: 'Grace Hopper' };
    const path = `${event.path}/registrations/${registrationId}`;
    const { checkinCode } = await expectStatus(call, ['PATCH', path, person]);
    expect(await scan(event, { checkinCode: former, ...eventDoor })).toBe('BADGE_REPLACED');
    expect(await scan(event, { checkinCode, ...eventDoor })).toBe(201);
  }
  const projected = () =>
    bus.database.sql(
      `select id from onsite.registration_projection where event_id = $1 and replaced_checkin_codes <> '{}'`,
      [event.eventId],
    );
  await eventually(async () => expect(await projected()).toHaveLength(5));
});

test('a scan shows whom it admits, and a rejected one says why, as its explanation does', async () => {
  const { operator } = bus;
  const event = await openEvent(call);
  const { eventId, path, typeId: registrationTypeId } = event;
  const scope = { businessUnitId, eventId };
  const ada = await register(event, { name: 'Ada Lovelace' });
  const holder = { id: ada.id, name: 'Ada Lovelace', registrationTypeId, status: 'confirmed' };
  const badge = { checkinCode: ada.checkinCode };
  const { id: perkId } = await operator.call(createPerk, { ...scope, name: 'Lounge' });
  const venue = await operator.call(createVenue, { ...scope, name: 'Lounge', perkIds: [perkId] });
  const door = { subjectType: 'venue' as const, subjectId: venue.id };
  const rejected = await expectStatus(
    call,
    ['POST', `${path}/checkins`, { ...badge, ...door }],
    412,
  );
  const lounge = { id: perkId, name: 'Lounge' };
  expect(rejected.error.details).toEqual([{ reason: 'GATE_CLOSED', perks: [lounge] }]);
  const explain = () => operator.call(explainCheckin, { ...scope, ...badge, ...door });
  expect(await explain()).toMatchObject({ outcome: 'gate_closed', registration: holder });
  await operator.call(grantPerk, { ...scope, perkId, registrationId: ada.id });
  const sources = [{ type: 'grant', id: ada.id }];
  expect(await explain()).toMatchObject({
    outcome: 'admitted',
    registration: holder,
    heldPerks: [{ ...lounge, sources }],
    checkin: null,
  });
  const admitted = ['POST', `${path}/checkins`, { ...badge, ...door }] as const;
  expect(await expectStatus(call, admitted, 201)).toMatchObject({ registration: holder });
  const projected = () =>
    bus.database.sql('select name from onsite.registration_projection where id = $1', [ada.id]);
  await eventually(async () => expect(await projected()).toEqual([{ name: 'Ada Lovelace' }]));
  expect(await expectStatus(call, admitted, 200)).toMatchObject({ registration: holder });
});

test('a scan sees a perk that was granted or revoked immediately before, for each way of delivery', async () => {
  const { operator } = bus;
  const event = await openEvent(call);
  const { eventId, typeId, path } = event;
  const scope = { businessUnitId, eventId };
  const { id: perkId } = await operator.call(createPerk, { ...scope, name: 'Lounge' });
  const venue = await operator.call(createVenue, { ...scope, name: 'Lounge', perkIds: [perkId] });
  const door = { subjectType: 'venue', subjectId: venue.id };
  const { redemptionCodes } = await expectStatus(call, [
    'POST',
    `${path}/redemption-codes`,
    { registrationTypeId: typeId, maxUses: null },
  ]);
  const { id: codeId, code } = redemptionCodes[0];
  const { id: registrationId } = await register(event, { redemptionCode: code });
  const ofType = { ...scope, perkId, targetType: 'registration_type' as const, targetId: typeId };
  const ofCode = { ...scope, perkId, targetType: 'redemption_code' as const, targetId: codeId };
  const ofOne = { ...scope, perkId, registrationId };
  const ways = [
    [() => operator.call(bindPerk, ofType), () => operator.call(unbindPerk, ofType)],
    [() => operator.call(bindCodePerk, ofCode), () => operator.call(unbindCodePerk, ofCode)],
    [() => operator.call(grantPerk, ofOne), () => operator.call(revokePerk, ofOne)],
  ] as const;
  expect(await scan(event, { registrationId, ...door })).toBe('GATE_CLOSED');
  let expected = 201;
  for (let turn = 0; turn < 3; turn++) {
    for (const [gain, lose] of ways) {
      await gain();
      expect(await scan(event, { registrationId, ...door })).toBe(expected);
      await lose();
      expect(await scan(event, { registrationId, ...door })).toBe('GATE_CLOSED');
      expected = 200;
    }
  }
});

test('the agenda is empty immediately after a confirmed date change, and unchanged otherwise', async () => {
  const { path, eventId } = await openEvent(call);
  const scope = { businessUnitId, eventId };
  const titles = async () =>
    (await expectStatus(call, ['GET', `${path}/sessions`])).sessions.map(
      ({ title }: { title: string }) => title,
    );
  for (let day = 11; day < 16; day++) {
    const title = `Talk of the ${day}th`;
    await bus.operator.call(createSession, { ...scope, title, ...timedOn(day - 1) });
    expect(await titles()).toEqual([title]);
    const hours = { startsAt: `2027-05-${day - 1}T09:00:00Z` };
    await expectStatus(call, ['PATCH', path, hours]);
    expect(await titles()).toEqual([title]);
    const startsAt = `2027-05-${day}T07:00:00Z`;
    await expectStatus(call, ['PATCH', path, { startsAt }], 412);
    expect(await titles()).toEqual([title]);
    await expectStatus(call, ['PATCH', path, { startsAt, confirmAgendaReset: true }]);
    expect(await titles()).toEqual([]);
  }
});

test('an agenda session created right after a date change is kept', async () => {
  const { path, eventId } = await openEvent(call);
  for (let day = 11; day < 16; day++) {
    const startsAt = `2027-05-${day}T07:00:00Z`;
    await expectStatus(call, ['PATCH', path, { startsAt, confirmAgendaReset: true }]);
    const input = { businessUnitId, eventId, title: `Talk ${day}`, ...timedOn(day) };
    const { id } = await bus.operator.call(createSession, input);
    const { sessions } = await expectStatus(call, ['GET', `${path}/sessions`]);
    expect(sessions.map((session: { id: string }) => session.id)).toEqual([id]);
  }
});

test('scans succeed in one event during a rush of registrations in another', async () => {
  const [hot, calm] = [await openEvent(call), await openEvent(call)];
  const guests = [];
  for (let n = 0; n < 20; n++) guests.push(await register(calm));
  const most = 16 * 2000;
  let createdCount = 0;
  let isOver = false;
  const registering = async () => {
    while (!isOver && createdCount < most) {
      createdCount += 1;
      await register(hot);
    }
  };
  const storm = Promise.all(Array.from({ length: 16 }, registering));
  const waits: number[] = [];
  for (const { checkinCode } of guests) {
    const begun = performance.now();
    expect(await scan(calm, { checkinCode, ...eventDoor })).toBe(201);
    waits.push(performance.now() - begun);
  }
  isOver = true;
  await storm;
  // The rush lasted for all scans, and it ended before its limit.
  expect(createdCount).toBeGreaterThan(guests.length);
  expect(createdCount).toBeLessThan(most);
  expect(waits.toSorted((one, other) => one - other)[10]).toBeLessThan(5000);
});

test('scans succeed while catalog, registration, commerce, NATS and Redis are unavailable at once', async () => {
  const event = await openEvent(call);
  const scope = { businessUnitId, eventId: event.eventId };
  const perk = await bus.operator.call(createPerk, { ...scope, name: 'Backstage' });
  const venue = await bus.operator.call(createVenue, {
    ...scope,
    name: 'Stage',
    perkIds: [perk.id],
  });
  const [guest, crew, cancelled] = [
    await register(event),
    await register(event),
    await register(event),
  ];
  await bus.operator.call(grantPerk, { ...scope, perkId: perk.id, registrationId: crew.id });
  await expectStatus(call, ['POST', `${event.path}/registrations/${cancelled.id}/cancel`]);
  const door = { subjectType: 'venue', subjectId: venue.id };
  expect(await scan(event, { checkinCode: cancelled.checkinCode, ...eventDoor })).toBe(
    'NOT_CONFIRMED',
  );
  const copied = () =>
    bus.database.sql(
      `select from onsite.registration_projection where id = any($1) and (status = 'cancelled') = (id = $2)`,
      [[guest.id, crew.id, cancelled.id], cancelled.id],
    );
  await eventually(async () => expect(await copied()).toHaveLength(3));

  await Promise.all([
    bus.processes.stop('catalog', 'SIGKILL'),
    bus.processes.stop('registration', 'SIGKILL'),
    bus.processes.stop('commerce', 'SIGKILL'),
    bus.nats.kill(),
    bus.redis?.kill(),
  ]);
  for (const { checkinCode } of [guest, crew]) {
    expect(await scan(event, { checkinCode, ...eventDoor })).toBe(201);
    expect(await scan(event, { checkinCode, ...eventDoor })).toBe(200);
  }
  expect(await scan(event, { checkinCode: crew.checkinCode, ...door })).toBe(201);
  expect(await scan(event, { checkinCode: guest.checkinCode, ...door })).toBe('GATE_CLOSED');
  expect(await scan(event, { checkinCode: cancelled.checkinCode, ...eventDoor })).toBe(
    'NOT_CONFIRMED',
  );
  expect(await scan(event, { checkinCode: 'CHK-NOBODY', ...eventDoor })).toBe(404);
  const { checkins } = await expectStatus(call, ['GET', `${event.path}/checkins`]);
  expect(checkins).toHaveLength(3);
  const { sessions } = await expectStatus(call, ['GET', `${event.path}/sessions`]);
  expect(sessions).toEqual([]);
});
