import { perkSnapshot } from '@event-api/contracts/messages/catalog';
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
import { createTestEvent } from '../fixtures.ts';
import {
  addOwnerSnapshot,
  createTestPerk,
  deliverByType,
  register,
  succeeded,
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

describe('an operator', () => {
  const versionOf = async (id: string) => {
    const [row] = await service.sql<{ version: string }>(
      'select version from registration.registration where id = $1',
      [id],
    );
    return Number(row?.version);
  };

  test('grants and revokes a perk; a repeated call changes nothing, including the version', async () => {
    const perk = await createTestPerk(service.sql, scope);
    const { id } = await register(call, scope, { registrationTypeId: typeId });
    const body = { perkId: perk, registrationId: id };
    const granted = { registrationId: id, perks: [{ id: perk, sources: [{ type: 'grant', id }] }] };
    let version = await versionOf(id);
    for (const [name, expected] of [
      ['perk.grant', granted],
      ['perk.revoke', { registrationId: id, perks: [] }],
    ] as const) {
      expect(succeeded(await command(name, body))).toMatchObject(expected);
      const changed = await versionOf(id);
      expect(changed).toBeGreaterThan(version);
      expect(succeeded(await command(name, body))).toMatchObject(expected);
      version = await versionOf(id);
      expect(version).toBe(changed);
    }
  });

  test('revokes grants only, not perks of other sources', async () => {
    const perk = await createTestPerk(service.sql, scope);
    await deliverByType(service.sql, typeId, [perk]);
    const { id } = await register(call, scope, { registrationTypeId: typeId });
    succeeded(await command('perk.revoke', { perkId: perk, registrationId: id }));
    expect(await perksOf(id)).toMatchObject([{ id: perk }]);
  });

  test('binds a perk to codes, each once, and receives all of them', async () => {
    const perk = await createTestPerk(service.sql, scope, 'Lounge');
    const codes = [await createCode(), await createCode()];
    const bind = (name: string, targetId: string) =>
      command(name, { perkId: perk, targetType: 'redemption_code', targetId });
    const expected = (ids: string[]) => ({
      id: perk,
      eventId: scope.eventId,
      name: 'Lounge',
      description: null,
      bindings: ids.map((targetId) => ({ targetType: 'redemption_code', targetId })),
    });
    const [one, two] = codes.map(({ id }) => id);
    expect(succeeded(await bind('perk.bind', one))).toEqual(expected([one]));
    for (const _ of [1, 2]) {
      expect(succeeded(await bind('perk.bind', two))).toEqual(expected([one, two]));
    }
    for (const _ of [1, 2]) {
      expect(succeeded(await bind('perk.unbind', one))).toEqual(expected([two]));
    }
  });

  test('lists the codes that deliver perks, page by page, oldest first', async () => {
    const other = await createTestEvent(service.sql, { businessUnitId: scope.businessUnitId });
    const fresh = await createTestEvent(service.sql);
    const list = async (of: typeof scope, more: object = {}) =>
      succeeded(await operator('POST', '/operator/perk.listCodes', { body: { ...of, ...more } }));
    const perks = [
      await createTestPerk(service.sql, scope),
      await createTestPerk(service.sql, scope),
    ];
    const before = (await list(scope)).codes.length;
    const created = [await createCode(), await createCode(), await createCode()];
    const targetType = 'redemption_code';
    for (const [perkId, { id: targetId }] of [
      [perks[1], created[2]],
      [perks[0], created[0]],
      [perks[1], created[0]],
    ] as const) {
      succeeded(await command('perk.bind', { perkId, targetType, targetId }));
    }
    const all = (await list(scope)).codes.slice(before);
    expect(all).toEqual([
      {
        id: created[0]?.id,
        code: created[0]?.code,
        label: null,
        status: 'active',
        perkIds: perks.toSorted(),
      },
      expect.objectContaining({ id: created[2]?.id, perkIds: [perks[1]] }),
    ]);
    const first = await list(scope, { limit: before + 1 });
    const next = await list(scope, { limit: before + 1, cursor: first.nextCursor });
    expect([...first.codes, ...next.codes].slice(before)).toEqual(all);
    expect(next.nextCursor).toBeNull();
    expect((await list(other)).codes).toEqual([]);
    const foreign = { ...scope, businessUnitId: fresh.businessUnitId };
    const { status } = await operator('POST', '/operator/perk.listCodes', { body: foreign });
    expect(status).toBe(404);
  });

  test('receives 404 for a perk, a registration or a code that the event does not have', async () => {
    const other = await createTestEvent(service.sql, { businessUnitId: scope.businessUnitId });
    const foreignPerk = await createTestPerk(service.sql, other);
    const perkId = await createTestPerk(service.sql, scope);
    const { id: registrationId } = await register(call, scope, { registrationTypeId: typeId });
    const { id: targetId } = await createCode();
    const targetType = 'redemption_code';
    const grants = [
      { perkId: newId('perk'), registrationId },
      { perkId: foreignPerk, registrationId },
      { perkId, registrationId: newId('reg') },
      { perkId, registrationId, businessUnitId: newId('unit') },
      { perkId, registrationId, eventId: other.eventId },
    ];
    const bindings = [
      { perkId: newId('perk'), targetType, targetId },
      { perkId: foreignPerk, targetType, targetId },
      { perkId, targetType, targetId: newId('code') },
      { perkId, targetType, targetId, businessUnitId: newId('unit') },
      { perkId, targetType, targetId, eventId: other.eventId },
    ];
    const responses = await Promise.all([
      ...grants.flatMap((body) => [command('perk.grant', body), command('perk.revoke', body)]),
      ...bindings.flatMap((body) => [command('perk.bind', body), command('perk.unbind', body)]),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
    expect(await perksOf(registrationId)).toEqual([]);
  });

  test('can grant a perk that is missing in the projection, after a refresh from the owner', async () => {
    const perkId = newId('perk');
    addOwnerSnapshot(service.owner, scope, perkSnapshot.type, perkId, {
      name: 'New',
      description: null,
    });
    const { id: registrationId } = await register(call, scope, { registrationTypeId: typeId });
    const { perks } = succeeded(await command('perk.grant', { perkId, registrationId }));
    expect(namesOf(perks)).toEqual(['New']);
    service.owner.isUnavailable = true;
    const unknown = { perkId: newId('perk'), registrationId };
    expect((await command('perk.grant', unknown)).status).toBe(503);
  });

  test.each([
    ['perk.grant', 'perkId'],
    ['perk.grant', 'registrationId'],
    ['perk.revoke', 'businessUnitId'],
    ['perk.bind', 'targetType'],
    ['perk.unbind', 'targetId'],
  ])('receives 400 when %s has an invalid %s', async (name, field) => {
    const target = /bind/.test(name)
      ? { targetType: 'redemption_code', targetId: 'code_1' }
      : { registrationId: 'reg_1' };
    const body = { perkId: 'perk_1', ...target };
    for (const value of [undefined, 7, '', 'x\0', 'addon'.repeat(50)]) {
      const { status, body: rejected } = await command(name, { ...body, [field]: value });
      expect([status, rejected.error.details[0].field]).toEqual([400, field]);
    }
  });

  test('is the only caller allowed to do this', async () => {
    for (const name of [
      'perk.grant',
      'perk.revoke',
      'perk.bind',
      'perk.unbind',
      'projection.resync',
    ]) {
      expect((await inside('POST', `/operator/${name}`, { body: {} })).status).toBe(401);
      expect((await call('POST', `/operator/${name}`, { body: {} })).status).toBe(404);
    }
  });
});
