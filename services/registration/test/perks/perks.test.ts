import {
  addonSnapshot,
  perkSnapshot,
  ticketTypeSnapshot,
} from '@event-api/contracts/messages/catalog';
import { newId } from '@event-api/platform/core/ids';
import { describe, expect, test } from 'vitest';
import {
  call,
  eventPath as event,
  inside,
  operator,
  scope,
  service,
  typeId,
  useRegistration,
} from '../context.ts';
import { createTestEvent, someEmail, unique } from '../fixtures.ts';
import {
  addOwnerSnapshot,
  createTestAddon,
  createTestPerk,
  deliverByType,
  register,
  succeeded,
  typeData,
} from '../projection-fixtures.ts';

useRegistration();

const perksOf = async (id: string) =>
  succeeded(await call('GET', `${event}/registrations/${id}/perks`)).perks;

const command = (name: string, body: object) =>
  operator('POST', `/operator/${name}`, { body: { ...scope, ...body } });

const namesOf = (perks: { name: string }[]) => perks.map(({ name }) => name);

async function createCode() {
  const body = { registrationTypeId: typeId, maxUses: null };
  return succeeded(await call('POST', `${event}/redemption-codes`, { body }), 201)
    .redemptionCodes[0];
}

/** An order that adds these add-ons to an existing registration. */
async function orderAddons(email: string, addonIds: readonly string[]): Promise<string> {
  const reservationId = unique('ord');
  const reservation = {
    ...scope,
    reservationId,
    buyer: { email, name: null },
    seats: [],
    addonIds,
    price: 'free',
    redemptionCode: null,
  };
  succeeded(await inside('POST', '/internal/reservations', { body: reservation }));
  const body = { ...reservation, reacquire: false };
  expect(succeeded(await inside('POST', '/internal/reservations/fulfil', { body })).outcome).toBe(
    'fulfilled',
  );
  return reservationId;
}

describe('the perks of a registration', () => {
  const deliverers = ['registration_type', 'addon', 'redemption_code', 'grant'];
  const subsets = Array.from({ length: 16 }, (_, bits) =>
    deliverers.filter((_, n) => bits & (1 << n)),
  );

  test.each(
    subsets.map((delivering) => ({ delivering, label: delivering.join(', ') || 'nothing' })),
  )('are the union of what delivers them: $label', async ({ delivering }) => {
    const has = (word: string) => delivering.includes(word);
    const perk = await createTestPerk(service.sql, scope);
    const email = someEmail();
    if (has('registration_type')) await deliverByType(service.sql, typeId, [perk]);
    const code = has('redemption_code') ? await createCode() : null;
    const { id } = await register(call, scope, {
      email,
      registrationTypeId: typeId,
      ...(code && { redemptionCode: code.code }),
    });
    const addon = await createTestAddon(service.sql, scope, [perk]);
    if (has('addon')) await orderAddons(email, [addon]);
    if (code) {
      const binding = { perkId: perk, targetType: 'redemption_code', targetId: code.id };
      succeeded(await command('perk.bind', binding));
    }
    if (has('grant')) succeeded(await command('perk.grant', { perkId: perk, registrationId: id }));
    const ids: Record<string, string> = {
      registration_type: typeId,
      addon,
      redemption_code: code?.id,
      grant: id,
    };
    const sources = delivering.map((type) => ({ type, id: ids[type] }));
    const perks = [{ id: perk, name: 'Lunch', description: null, sources }];
    expect(await perksOf(id)).toEqual(delivering.length === 0 ? [] : perks);
  });

  test('are each returned once, oldest first, with any number of sources', async () => {
    const [a, b, c] = [
      await createTestPerk(service.sql, scope, 'A'),
      await createTestPerk(service.sql, scope, 'B'),
      await createTestPerk(service.sql, scope, 'C'),
    ];
    await deliverByType(service.sql, typeId, [c, a]);
    const email = someEmail();
    const { id } = await register(call, scope, { email, registrationTypeId: typeId });
    const addons = [
      await createTestAddon(service.sql, scope, [a, b]),
      await createTestAddon(service.sql, scope, [b]),
    ];
    await orderAddons(email, addons);
    await orderAddons(email, addons.slice(0, 1));
    const perks = await perksOf(id);
    expect(namesOf(perks)).toEqual(['A', 'B', 'C']);
    const sourcesOf = perks.map(({ sources }: { sources: { type: string }[] }) => sources.length);
    expect(sourcesOf).toEqual([2, 2, 1]);
  });

  test('change with their sources', async () => {
    const perk = await createTestPerk(service.sql, scope);
    const code = await createCode();
    const email = someEmail();
    const { id } = await register(call, scope, {
      email,
      registrationTypeId: typeId,
      redemptionCode: code.code,
    });
    const has = async () => (await perksOf(id)).length > 0;
    const binding = { perkId: perk, targetType: 'redemption_code', targetId: code.id };
    const grant = { perkId: perk, registrationId: id };
    expect(await has()).toBe(false);
    await deliverByType(service.sql, typeId, [perk]);
    expect(await has()).toBe(true);
    await deliverByType(service.sql, typeId, []);
    expect(await has()).toBe(false);
    for (const [gain, lose, body] of [
      ['perk.bind', 'perk.unbind', binding],
      ['perk.grant', 'perk.revoke', grant],
    ] as const) {
      succeeded(await command(gain, body));
      expect(await has()).toBe(true);
      succeeded(await command(lose, body));
      expect(await has()).toBe(false);
    }
    const orderId = await orderAddons(email, [await createTestAddon(service.sql, scope, [perk])]);
    expect(await has()).toBe(true);
    const { businessUnitId, eventId } = scope;
    const revoke = { body: { businessUnitId, eventId, orderId } };
    succeeded(await inside('POST', '/internal/reservations/revoke', revoke));
    expect(await has()).toBe(false);
    expect(succeeded(await call('GET', `${event}/registrations/${id}`)).status).toBe('confirmed');
  });

  test('are fetched from the owner if missing in the projection, and omitted while it is unavailable', async () => {
    const [existing, late] = [await createTestPerk(service.sql, scope, 'Known'), newId('perk')];
    await deliverByType(service.sql, typeId, [existing]);
    const email = someEmail();
    const { id } = await register(call, scope, { email, registrationTypeId: typeId });
    const addon = await createTestAddon(service.sql, scope, [late]);
    await orderAddons(email, [addon]);
    await service.sql('delete from registration.addon_projection where id = $1', [addon]);
    addOwnerSnapshot(service.owner, scope, addonSnapshot.type, addon, { perkIds: [late] });
    addOwnerSnapshot(service.owner, scope, perkSnapshot.type, late, {
      name: 'Late',
      description: null,
    });
    service.owner.isUnavailable = true;
    expect(namesOf(await perksOf(id))).toEqual(['Known']);
    service.owner.isUnavailable = false;
    expect(namesOf(await perksOf(id)).toSorted()).toEqual(['Known', 'Late']);
  });

  test('include those of a ticket type that is missing in the projection, after a refresh', async () => {
    const perk = await createTestPerk(service.sql, scope);
    const { id } = await register(call, scope, { registrationTypeId: typeId });
    await service.sql('delete from registration.ticket_type_projection where id = $1', [typeId]);
    expect(await perksOf(id)).toEqual([]);
    addOwnerSnapshot(
      service.owner,
      scope,
      ticketTypeSnapshot.type,
      typeId,
      typeData({ perkIds: [perk] }),
    );
    expect(await perksOf(id)).toMatchObject([{ id: perk }]);
  });

  test('omit an unknown perk', async () => {
    await deliverByType(service.sql, typeId, ['perk_gone']);
    const { id } = await register(call, scope, { registrationTypeId: typeId });
    expect(await perksOf(id)).toEqual([]);
  });

  test('respond with an identical 404 for records of another unit and unknown ones', async () => {
    const { id } = await register(call, scope, { registrationTypeId: typeId });
    const other = await createTestEvent(service.sql, { businessUnitId: scope.businessUnitId });
    const stranger = await service.as(newId('unit'));
    const responses = await Promise.all([
      call('GET', `${event}/registrations/${newId('reg')}/perks`),
      call('GET', `${event}/registrations/%00/perks`),
      call('GET', `/v1/events/${other.eventId}/registrations/${id}/perks`),
      stranger('GET', `${event}/registrations/${id}/perks`),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });
});
