import { createKey } from '@event-api/contracts/operator/keys';
import { confirmRegistration } from '@event-api/contracts/operator/registrations';
import { eventually } from '@event-api/platform/testing/eventually';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import { beforeAll, expect, test } from 'vitest';
import { expectStatus, openEvent } from './fixtures/bus.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let unitId: string;
/** Two keys of one unit. */
let keys: { id: string; call: HttpClient }[];
beforeAll(async () => {
  platform = await sharedPlatform();
  const unit = await platform.newUnit({ rateLimitPerMinute: 10_000 });
  unitId = unit.unitId;
  const second = await platform.operator.call(createKey, {
    businessUnitId: unitId,
    name: 'The second key',
    rateLimitPerMinute: 10_000,
  });
  keys = [
    [unit.keyId, unit.secret],
    [second.id, second.secret],
  ].map(([id = '', secret]) => ({
    id,
    call: httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` }),
  }));
});

/** The types and actors of the changes of these events, once the feed has `count` of them. */
async function actorsOf(eventId: string, count: number): Promise<string[]> {
  const [{ call } = { call: httpClient(platform.baseUrl) }] = keys;
  return eventually(async () => {
    const { changes } = await expectStatus(call, [
      'GET',
      `/v1/changes?limit=1000&eventId=${eventId}`,
    ]);
    const seen = (changes as { type: string; actor: { type: string; id: string | null } }[]).map(
      ({ type, actor }) => `${type} by ${actor.type} ${actor.id}`,
    );
    expect(seen.length).toBeGreaterThanOrEqual(count);
    return seen;
  });
}

test('two keys of a unit that place and confirm orders alternately are the actors of what they caused', async () => {
  const [first, second] = keys as [(typeof keys)[0], (typeof keys)[0]];
  const { eventId, typeId, path } = await openEvent(first.call, { capacity: 10 });
  const before = await actorsOf(eventId, 4);
  expect(before).toEqual(before.map((each) => each.replace(/ by .*/, ` by key ${first.id}`)));
  for (const [placing, confirming] of [
    [first, second],
    [second, first],
    [first, second],
  ] as const) {
    const items = [{ itemType: 'registration_type', itemId: typeId }];
    const body = { email: `${crypto.randomUUID()}@example.com`, items };
    const { id } = await expectStatus(placing.call, ['POST', `${path}/orders`, body]);
    await expectStatus(confirming.call, ['POST', `${path}/orders/${id}/confirm`]);
  }
  const causedBy = (placing: string, confirming: string) => [
    `order.created by key ${placing}`,
    `order.paid by key ${confirming}`,
    `registration.created by key ${confirming}`,
  ];
  const caused = (await actorsOf(eventId, before.length + 9)).slice(before.length);
  expect(caused.toSorted()).toEqual(
    [
      ...causedBy(first.id, second.id),
      ...causedBy(second.id, first.id),
      ...causedBy(first.id, second.id),
    ].toSorted(),
  );
});

test('the command line is the actor of a command', async () => {
  const [{ call, id: keyId }] = keys as [(typeof keys)[0]];
  const { eventId, typeId, path, typePath } = await openEvent(call, {
    capacity: 1,
    allowWaitlist: true,
  });
  const register = async (name: string) =>
    (
      await expectStatus(call, [
        'POST',
        `${path}/registrations`,
        { email: `${name}@example.com`, registrationTypeId: typeId },
      ])
    ).registration.id as string;
  await register('ada');
  const waiting = await register('grace');
  await expectStatus(call, ['PATCH', typePath, { capacity: 2, priceAmount: 2500 }]);
  await platform.operator.call(confirmRegistration, {
    businessUnitId: unitId,
    eventId,
    registrationId: waiting,
  });
  await eventually(async () => {
    const seen = await actorsOf(eventId, 8);
    expect(seen).toContain('registration.confirmed by cli null');
    expect(seen).toContain(`ticket_type.updated by key ${keyId}`);
  });
});
