import { newId } from '@event-api/platform/core/ids';
import { eventually } from '@event-api/platform/testing/eventually';
import { beforeEach, describe, expect, test } from 'vitest';
import { gateway, testKey, upstream, useGateway } from '../context.ts';

useGateway();
beforeEach(() => {
  upstream.received.length = 0;
});

const [event, other] = [newId('evt'), newId('evt')];
const denied = { code: 403, status: 'PERMISSION_DENIED' };

describe('a restricted key', () => {
  test('has a prefix of its own, is listed with its limits, and returns its secret once', async () => {
    const { unit, key } = await gateway.createKey({ groups: ['read'], eventIds: [event] });
    expect(key.secret).toMatch(/^rk_live_[0-9A-Za-z]{32}$/);
    const { keys } = await gateway.run('key.list', { businessUnitId: unit.id });
    const { secret: _, ...listed } = key;
    expect(keys).toEqual([listed]);
    expect(listed).toMatchObject({ groups: ['read'], eventIds: [event] });
  });

  test('has exactly the operations of its groups', async () => {
    const { client } = await gateway.createKey({ groups: ['sell'] });
    const orders = `/v1/events/${event}/orders`;
    expect((await client('GET', `/v1/events/${event}`)).status).toBe(200);
    expect((await client('POST', orders, { body: {} })).status).toBe(200);
    const forwarded = upstream.received.length;
    for (const [method, path] of [
      ['GET', orders],
      ['PATCH', `/v1/events/${event}`],
      ['GET', '/v1/changes'],
      ['POST', '/v1/webhook-endpoints'],
    ] as const) {
      const { status, body } = await client(method, path, method === 'GET' ? {} : { body: {} });
      expect([status, body.error]).toMatchObject([403, denied]);
      const [detail] = body.error.details;
      expect(detail).toMatchObject({ keyGroups: ['sell'] });
      expect(detail.groups).not.toContain('sell');
      expect(detail.groups).not.toEqual([]);
      expect(detail.permissions.length).toBeGreaterThan(0);
    }
    expect(upstream.received.length).toBe(forwarded);
  });

  test('tells the service its permissions and events, in the token', async () => {
    const { client, key } = await gateway.createKey({ groups: ['doors'], eventIds: [event] });
    await client('GET', `/v1/events/${event}/checkins`);
    const token = String(upstream.received[0]?.headers['x-caller']);
    expect(await gateway.callers.verifier.verify(token, 'api')).toMatchObject({
      keyId: key.id,
      permissions: ['doors', 'checkins.read'],
      events: [event],
      doors: null,
    });
  });

  test('gets 404 for an event that it does not list, as for a missing record', async () => {
    const { client } = await gateway.createKey({ groups: ['read'], eventIds: [event] });
    expect((await client('GET', `/v1/events/${event}`)).status).toBe(200);
    const { status, body } = await client('GET', `/v1/events/${other}`);
    expect([status, body]).toEqual([
      404,
      { error: { code: 404, status: 'NOT_FOUND', message: 'Not found' } },
    ]);
    expect(upstream.received).toHaveLength(1);
  });

  test('gets other groups and events with key.update, within a second', async () => {
    const { key, client } = await gateway.createKey({ groups: ['read'], eventIds: [event] });
    const update = (fields: object) => gateway.run('key.update', { id: key.id, ...fields });
    expect((await client('GET', `/v1/events/${event}`)).status).toBe(200);
    expect(await update({ groups: ['sell'], eventIds: [other] })).toMatchObject({
      groups: ['sell'],
      eventIds: [other],
    });
    const statusOf = async (id: string) => (await client('GET', `/v1/events/${id}`)).status;
    await eventually(async () => expect(await statusOf(event)).toBe(404));
    expect(await statusOf(other)).toBe(200);
    expect((await client('GET', `/v1/events/${other}/orders`)).status).toBe(403);
    expect(await update({ eventIds: null })).toMatchObject({ groups: ['sell'], eventIds: null });
  });

  test('cannot come from an unrestricted one with key.update', async () => {
    const { key } = await gateway.createKey();
    for (const fields of [{ groups: ['read'] }, { eventIds: [event] }]) {
      const body = { id: key.id, ...fields };
      const response = await gateway.operator('POST', '/operator/key.update', { body });
      expect([response.status, response.body.error.details[0].field]).toEqual([
        400,
        Object.keys(fields)[0],
      ]);
    }
  });

  test.each([
    ['POST', '/v1/events'],
    ['GET', '/v1/changes'],
    ['GET', '/v1/changes/head'],
    ['GET', '/v1/webhook-endpoints'],
  ] as const)('with events gets 403 for %s %s', async (method, path) => {
    const groups = ['read', 'manage'];
    const { client } = await gateway.createKey({ groups, eventIds: [event] });
    const { client: everywhere } = await gateway.createKey({ groups });
    const options = method === 'GET' ? {} : { body: {} };
    expect((await client(method, path, options)).body.error).toMatchObject(denied);
    expect((await everywhere(method, path, options)).status).toBe(200);
  });

  test('is checked after the path and before the body', async () => {
    const { client } = await gateway.createKey({ groups: ['doors'], eventIds: [event] });
    const text = { headers: { 'content-type': 'text/plain' }, raw: 'x' };
    expect((await client('POST', '/v1/nothing', text)).status).toBe(404);
    expect((await client('PUT', `/v1/events/${event}/checkins`, text)).status).toBe(405);
    expect((await client('POST', `/v1/events/${event}/orders`, text)).status).toBe(403);
    expect((await client('POST', `/v1/events/${other}/checkins`, text)).status).toBe(404);
    expect((await client('POST', `/v1/events/${event}/checkins`, text)).status).toBe(415);
  });

  test.each([
    ['an unknown group', { groups: ['everything'] }, 'groups[0]'],
    ['no group', { groups: [] }, 'groups'],
    ['events without groups', { eventIds: [event] }, 'groups'],
    ['an id that is no event', { groups: ['read'], eventIds: ['ses_1'] }, 'eventIds[0]'],
    [
      'more than 20 events',
      { groups: ['read'], eventIds: Array.from({ length: 21 }, () => newId('evt')) },
      'eventIds',
    ],
    ['its own secret', { groups: ['read'], secret: `sk_live_${'a'.repeat(32)}` }, 'secret'],
  ])('is rejected with %s', async (_, fields, field) => {
    const body = { businessUnitId: testKey.unit.id, name: 'Key', ...fields };
    const response = await gateway.operator('POST', '/operator/key.create', { body });
    expect([response.status, response.body.error.details[0].field]).toEqual([400, field]);
  });
});

describe('a person in the console', () => {
  const asOwner = async (businessUnitId: string, permissions = ['keys']) => {
    const token = await (await gateway.callers.signer('console')).sign({
      audience: 'operator',
      businessUnitId,
      permissions,
      actor: { type: 'operator', id: 'opr_1' },
    });
    return (command: string, body: object) =>
      gateway.operator('POST', `/operator/${command}`, { body, headers: { 'x-caller': token } });
  };

  test('manages the keys of their own unit, and no other', async () => {
    const [own, foreign] = [await gateway.createKey(), await gateway.createKey()];
    const call = await asOwner(own.unit.id);
    for (const command of ['key.update', 'key.revoke']) {
      const ofUnit = (businessUnitId: string, id: string) =>
        call(command, { businessUnitId, id, ...(command === 'key.update' && { name: 'New' }) });
      const missing = await ofUnit(own.unit.id, newId('key'));
      const other = await ofUnit(own.unit.id, foreign.key.id);
      expect([other.status, other.body]).toEqual([404, missing.body]);
      const missingUnit = await ofUnit(newId('unit'), foreign.key.id);
      const otherUnit = await ofUnit(foreign.unit.id, foreign.key.id);
      expect([otherUnit.status, otherUnit.body]).toEqual([404, missingUnit.body]);
      expect((await ofUnit(own.unit.id, own.key.id)).status).toBe(200);
      expect((await call(command, { id: own.key.id, name: 'x' })).status).not.toBe(200);
    }
    const { keys } = await gateway.run('key.list', { businessUnitId: foreign.unit.id });
    expect(keys).toMatchObject([{ name: 'Test key', revokedAt: null }]);
  });

  test('reads their own unit', async () => {
    const { unit } = await gateway.createKey();
    const call = await asOwner(unit.id, ['catalog.read']);
    expect((await call('unit.get', { businessUnitId: unit.id })).body).toEqual(unit);
    expect((await call('unit.list', {})).status).toBe(403);
  });

  test('sets no limits of a key without the permission platform', async () => {
    const { unit } = await gateway.createKey();
    const body = { businessUnitId: unit.id, name: 'Fast', rateLimitPerMinute: 5000 };
    expect((await (await asOwner(unit.id))('key.create', body)).status).toBe(403);
    const both = await asOwner(unit.id, ['keys', 'platform']);
    expect((await both('key.create', body)).status).toBe(201);
  });
});
