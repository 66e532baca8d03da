import { chooseOperation, groupCommands } from '@event-api/contracts/operator/command';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { bindPerk, createPerk } from '@event-api/contracts/operator/perks';
import { resyncProjections } from '@event-api/contracts/operator/projections';
import {
  bindCodePerk,
  grantPerk,
  revokePerk,
} from '@event-api/contracts/operator/registration-perks';
import { eventually } from '@event-api/platform/testing/eventually';
import {
  type HttpClient,
  httpClient,
  type TestResponse,
} from '@event-api/platform/testing/http-client';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let businessUnitId: string;
let call: HttpClient;
let event: string;
let typeId: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 10_000_000 });
  businessUnitId = unitId;
  call = httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` });
});
beforeEach(async () => {
  const created = await call('POST', '/v1/events', { body: { name: 'Summit', timezone: 'UTC' } });
  event = created.headers.location ?? '';
  const type = { name: 'Pass', capacity: 10, priceAmount: 999, isPublic: false };
  typeId = (await succeeded('POST', `${event}/ticket-types`, type)).id;
  await succeeded('PATCH', `${event}/ticket-types/${typeId}`, { status: 'open' });
});

async function succeeded(
  method: string,
  path: string,
  body?: object,
): Promise<TestResponse['body']> {
  const response = await call(method, path, { body });
  expect(response, `${method} ${path}`).toMatchObject({ status: expect.toSatisfy((s) => s < 300) });
  return response.body;
}

const scope = () => ({ businessUnitId, eventId: event.split('/').at(-1) ?? '' });

test('a code unlocks a new ticket type with its perks until it is used up', async () => {
  const discount = { type: 'percent', value: 50 };
  const wanted = { registrationTypeId: typeId, code: 'Friends', discount };
  const { redemptionCodes } = await succeeded('POST', `${event}/redemption-codes`, wanted);
  const perk = await platform.operator.call(createPerk, { ...scope(), name: 'Lounge' });
  const binding = { ...scope(), perkId: perk.id };
  const targetId = redemptionCodes[0].id;
  await platform.operator.call(bindCodePerk, {
    ...binding,
    targetType: 'redemption_code',
    targetId,
  });
  const ofType = { ...binding, targetType: 'registration_type' as const, targetId: typeId };
  await platform.operator.call(bindPerk, ofType);

  const lookup = `${event}/redemption-codes/lookup?code=friends`;
  await eventually(async () => {
    const { perks } = await succeeded('GET', lookup);
    expect(perks).toMatchObject([{ id: perk.id, name: 'Lounge', sources: [{}, {}] }]);
  });
  expect(await succeeded('GET', lookup)).toMatchObject({
    code: 'Friends',
    registrationType: { id: typeId, isPublic: false, counts: { confirmed: 0 } },
    priceAmount: 999,
    discountedPriceAmount: 499,
  });

  const who = { email: 'ada@example.com', registrationTypeId: typeId, redemptionCode: 'FRIENDS' };
  const { registration } = await succeeded('POST', `${event}/registrations`, who);
  expect((await call('GET', lookup)).status).toBe(404);
  const { attendees } = await succeeded('GET', `${event}/attendees`);
  expect(attendees).toMatchObject([{ status: 'confirmed', registrationIds: [registration.id] }]);
});

test('an archived ticket type immediately rejects new codes, and its codes return 404', async () => {
  const wanted = { registrationTypeId: typeId, code: 'Summer-11', count: 2 };
  const { redemptionCodes } = await succeeded('POST', `${event}/redemption-codes`, wanted);
  expect(redemptionCodes).toMatchObject([{ code: 'Summer-11' }]);
  const lookup = `${event}/redemption-codes/lookup?code=summer-11`;
  await succeeded('GET', lookup);
  await succeeded('PATCH', `${event}/ticket-types/${typeId}`, { status: 'archived' });
  expect((await call('GET', lookup)).status).toBe(404);
  const body = { registrationTypeId: typeId };
  const { status, body: rejection } = await call('POST', `${event}/redemption-codes`, { body });
  expect([status, rejection.error.details]).toEqual([412, [{ reason: 'TICKET_TYPE_ARCHIVED' }]]);
  const edit = { body: { name: 'Gone' } };
  expect((await call('PATCH', `${event}/ticket-types/${typeId}`, edit)).status).toBe(400);
});

test('an operator grants and revokes a perk immediately after creating it', async () => {
  const who = { email: 'ada@example.com', registrationTypeId: typeId };
  const { registration } = await succeeded('POST', `${event}/registrations`, who);
  const perk = await platform.operator.call(createPerk, { ...scope(), name: 'Backstage' });
  const grant = { ...scope(), perkId: perk.id, registrationId: registration.id };
  const perksOf = async () =>
    (await succeeded('GET', `${event}/registrations/${registration.id}/perks`)).perks;
  await platform.operator.call(grantPerk, grant);
  expect(await perksOf()).toMatchObject([{ name: 'Backstage', sources: [{ type: 'grant' }] }]);
  await platform.operator.call(revokePerk, grant);
  expect(await perksOf()).toEqual([]);
});

test('an operator resyncs the projections of each service', async () => {
  for (const service of ['catalog', 'registration'] as const) {
    expect(await platform.operator.call(resyncProjections(service), { service })).toEqual({
      service,
    });
  }
  const who = { email: 'ada@example.com', registrationTypeId: typeId };
  await succeeded('POST', `${event}/registrations`, who);
  const { counts } = await succeeded('GET', `${event}/ticket-types/${typeId}`);
  expect(counts.confirmed).toBe(1);
});

describe('a command that several services implement', () => {
  const chosen = (name: string, input: object) => {
    const [command] = groupCommands(operatorOperations).filter((one) => one.name === name);
    const choice = command && chooseOperation(command, input);
    return choice?.outcome === 'chosen' ? choice.operation.config.owner : undefined;
  };
  const binding = { businessUnitId: 'unit', eventId: 'evt', perkId: 'perk', targetId: 'x' };

  test.each([
    ['perk.bind', { ...binding, targetType: 'registration_type' }, 'catalog'],
    ['perk.bind', { ...binding, targetType: 'addon' }, 'catalog'],
    ['perk.unbind', { ...binding, targetType: 'redemption_code' }, 'registration'],
    ['perk.bind', { targetType: 'redemption_code' }, 'registration'],
    ['perk.bind', { targetType: 'addon', perkId: 5 }, 'catalog'],
    ['perk.bind', { ...binding, targetType: 'bundle' }, undefined],
    ['projection.resync', { service: 'catalog' }, 'catalog'],
    ['projection.resync', { service: 'registration' }, 'registration'],
    ['projection.resync', { service: 'gateway' }, undefined],
    ['unit.create', {}, 'gateway'],
  ])('%s with %j is sent to %s', (name, input, owner) => {
    expect(chosen(name, input)).toBe(owner);
  });
});
