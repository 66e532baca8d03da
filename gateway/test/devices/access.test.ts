import { newId } from '@event-api/platform/core/ids';
import { eventually } from '@event-api/platform/testing/eventually';
import { beforeEach, describe, expect, test } from 'vitest';
import { exchange, request } from '../raw.ts';
import {
  clientOf,
  doors,
  event,
  gateway,
  newCode,
  newDevice,
  newInstallation,
  upstream,
  useDevices,
} from './context.ts';

let now = () => new Date();
useDevices({ now: () => now() });
beforeEach(() => {
  now = () => new Date();
  upstream.received.length = 0;
});

const path = `/v1/events/${event.id}`;
const inHours = (hours: number) => () => new Date(Date.now() + hours * 3_600_000);

describe('a device', () => {
  test('checks in, reads the summary, the roster and itself, and nothing else', async () => {
    const { client } = await newDevice();
    const allowed = [
      await client('POST', `${path}/checkins`, { body: {} }),
      await client('GET', `${path}/checkins/summary`),
      await client('GET', `${path}/checkins/roster`),
      await client('GET', '/v1/device'),
    ];
    expect(allowed.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const [method, url] of [
      ['GET', path],
      ['GET', '/v1/events'],
      ['GET', `${path}/checkins`],
      ['GET', `${path}/registrations`],
      ['POST', `${path}/registrations`],
      ['POST', '/v1/device/pair'],
      ['GET', '/v1/changes'],
    ] as const) {
      const { status, body } = await client(method, url, method === 'GET' ? {} : { body: {} });
      expect([url, status, body.error.status]).toEqual([url, 403, 'PERMISSION_DENIED']);
    }
    expect((await client('GET', `/v1/events/${newId('evt')}/checkins/summary`)).status).toBe(404);
  });

  test('names itself, its event and its doors to the service', async () => {
    const { client, device } = await newDevice();
    upstream.received.length = 0;
    await client('POST', `${path}/checkins`, { body: {} });
    const token = String(upstream.received[0]?.headers['x-caller']);
    expect(await gateway.callers.verifier.verify(token, 'api')).toMatchObject({
      actor: { type: 'device', id: device.id },
      permissions: ['doors', 'device'],
      events: [event.id],
      doors: [event.id, doors.venue],
    });
  });

  test.each([
    [false, ['doors', 'device']],
    [true, ['doors', 'device', 'names']],
  ])('may have names only if it may show them: %j', async (showNames, permissions) => {
    const { client } = await newDevice({ showNames });
    upstream.received.length = 0;
    await client('GET', `${path}/checkins/roster`);
    const token = String(upstream.received[0]?.headers['x-caller']);
    expect(await gateway.callers.verifier.verify(token, 'api')).toMatchObject({ permissions });
  });

  test('has 600 requests per minute for everything together', async () => {
    const { client } = await newDevice();
    for (const [method, url] of [
      ['GET', '/v1/device'],
      ['POST', `${path}/checkins`],
    ] as const) {
      const { headers } = await client(method, url, method === 'GET' ? {} : { body: {} });
      expect(headers['ratelimit-policy']).toContain('q=600');
    }
  });

  test('that is revoked is rejected within a second, and so is a code that waits', async () => {
    const { unitId, device, client } = await newDevice();
    const waiting = await newCode({ businessUnitId: unitId });
    for (const id of [device.id, waiting.created.id]) {
      const revoked = await gateway.run('device.revoke', { businessUnitId: unitId, id });
      expect(revoked).toMatchObject({ id, state: 'revoked', revokedAt: expect.any(String) });
      expect(await gateway.run('device.revoke', { businessUnitId: unitId, id })).toEqual(revoked);
    }
    await eventually(async () => {
      expect((await client('GET', '/v1/device')).status).toBe(401);
    });
    const body = { installationId: newInstallation() };
    await eventually(async () => {
      const { status } = await clientOf(waiting.code)('POST', '/v1/device/pair', { body });
      expect(status).toBe(401);
    });
  });

  test('of another business unit is revoked and listed as little as a missing one', async () => {
    const { unitId, device, client } = await newDevice();
    const other = await gateway.run('unit.create', { name: 'Other' });
    const revoke = (id: string) =>
      gateway.operator('POST', '/operator/device.revoke', {
        body: { businessUnitId: other.id, id },
      });
    const missing = await revoke(newId('dev'));
    const foreign = await revoke(device.id);
    expect([foreign.status, foreign.body]).toEqual([404, missing.body]);
    expect(await gateway.run('device.list', { businessUnitId: other.id })).toEqual({ devices: [] });
    expect((await client('GET', '/v1/device')).status).toBe(200);
    const key = gateway.operator('POST', '/operator/key.revoke', {
      body: { businessUnitId: unitId, id: device.id },
    });
    expect((await key).status).toBe(404);
  });

  test('is listed by event, and as expired after 24 hours', async () => {
    const { unitId, device, client } = await newDevice();
    const list = (eventId: string) =>
      gateway.run('device.list', { businessUnitId: unitId, eventId });
    expect((await list(newId('evt'))).devices).toEqual([]);
    now = inHours(23.9);
    expect((await client('GET', '/v1/device')).status).toBe(200);
    now = inHours(24);
    expect((await client('GET', '/v1/device')).status).toBe(401);
    expect((await list(event.id)).devices).toMatchObject([{ id: device.id, state: 'expired' }]);
  });
});

test('a pairing code is valid for ten minutes', async () => {
  const { code } = await newCode();
  now = inHours(1 / 6);
  const body = { installationId: newInstallation() };
  expect((await clientOf(code)('POST', '/v1/device/pair', { body })).status).toBe(401);
});

test('a pairing code may do nothing but pair', async () => {
  const { code } = await newCode();
  for (const url of ['/v1/device', '/v1/events', `${path}/checkins/summary`]) {
    expect((await clientOf(code)('GET', url)).status).toBe(403);
  }
});

test('an unrestricted key is no device', async () => {
  const { client } = await gateway.createKey();
  const body = { installationId: newInstallation() };
  for (const response of [
    await client('GET', '/v1/device'),
    await client('POST', '/v1/device/pair', { body }),
  ]) {
    expect([response.status, response.body.error.status]).toEqual([403, 'PERMISSION_DENIED']);
  }
});

test('unknown, expired, revoked and used credentials of devices get identical bytes', async () => {
  const revoked = await newDevice();
  const used = revoked.code;
  await gateway.run('device.revoke', { businessUnitId: revoked.unitId, id: revoked.device.id });
  const expired = await newDevice();
  const expiredCode = (await newCode()).code;
  await eventually(async () => {
    expect((await revoked.client('GET', '/v1/device')).status).toBe(401);
    expect((await clientOf(used)('GET', '/v1/device')).status).toBe(401);
  });
  now = inHours(25);
  const unknown = 'dk_live_00000000000000000000000000000000';
  const send = async (secret: string, line: string) => {
    const headers = ['Host: gateway', 'Connection: close', `Authorization: Bearer ${secret}`];
    const [response] = await exchange(gateway.apiUrl, request(`${line} HTTP/1.1`, headers));
    const head = response?.head.replace(/req_[0-9a-z]{26}/, '').replace(/\r\ndate: [^\r]*/i, '');
    return [response?.status, head, response?.body];
  };
  for (const line of ['GET /v1/device', 'POST /v1/device/pair', `POST ${path}/checkins`]) {
    const reference = await send(unknown, line);
    expect(reference[0]).toBe(401);
    for (const secret of [revoked.token, used, expired.token, expiredCode]) {
      expect(await send(secret, line)).toEqual(reference);
    }
  }
});

test('a person with the permission devices manages the devices of the own unit only', async () => {
  const { unitId } = await newDevice();
  const other = await gateway.run('unit.create', { name: 'Other' });
  const signer = await gateway.callers.signer('console');
  const as = async (permissions: string[]) => {
    const actor = { type: 'operator', id: 'opr_1' } as const;
    const caller = { audience: 'operator', businessUnitId: unitId, permissions, actor } as const;
    const token = await signer.sign(caller);
    return (businessUnitId: string) =>
      gateway.operator('POST', '/operator/device.list', {
        body: { businessUnitId },
        headers: { 'x-caller': token },
      });
  };
  expect((await (await as(['devices']))(unitId)).status).toBe(200);
  expect((await (await as(['keys']))(unitId)).status).toBe(403);
  const foreign = await (await as(['devices']))(other.id);
  const missing = await (await as(['devices']))(newId('unit'));
  expect([foreign.status, foreign.body]).toEqual([404, missing.body]);
});

test('the secret of a device is stored as a hash, and is in no other column', async () => {
  const { token, code } = await newDevice();
  const rows = JSON.stringify(await gateway.sql?.('select * from gateway.api_key'));
  for (const secret of [token, code]) expect(rows).not.toContain(secret);
});
