import { randomUUID } from 'node:crypto';
import { serviceNames } from '@event-api/contracts/topology';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrowserClient } from './browser-client.ts';
import { startTestConsole, type TestConsole } from './harness.ts';

const newUnit = () => `unit_${randomUUID().slice(0, 8)}`;

let app: TestConsole;
let unit: string;
let organizer: BrowserClient;
let viewer: BrowserClient;
beforeAll(async () => {
  app = await startTestConsole();
  unit = newUnit();
  [organizer, viewer] = [await app.signIn('oskar'), await app.signIn('vera')];
  await app.join(organizer, unit, 'organizer');
  await app.join(viewer, unit, 'viewer');
});
afterAll(() => app?.close());
beforeEach(() => {
  app.owners.received.length = 0;
  app.owners.setAway(false);
  app.owners.respondWith((_request, response) =>
    response.setHeader('content-type', 'application/json').end('{"ok":true}'),
  );
});

const last = () => {
  const received = app.owners.received.at(-1);
  if (!received) throw new Error('no owner received a request');
  return received;
};
/** The claims of the token that the owner got, whose signature is valid for the audience. */
async function callerOf(audience: 'api' | 'operator') {
  const token = String(last().headers['x-caller']);
  expect(await app.callers.verifier.verify(token, audience)).not.toBeNull();
  const [, payload = ''] = token.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

describe('an operator command', () => {
  const path = () => `/api/units/${unit}/operator/event.list`;

  test('reaches its owner with the bytes of the browser and its Idempotency-Key', async () => {
    const body = `{ "businessUnitId":"${unit}" , "limit": 1.0 }`;
    const response = await organizer.send(path(), {
      method: 'POST',
      body,
      headers: { 'idempotency-key': 'key-1' },
    });
    expect([response.status, response.json()]).toEqual([200, { ok: true }]);
    expect(last()).toMatchObject({ method: 'POST', url: '/operator/event.list', body });
    expect(last().headers['idempotency-key']).toBe('key-1');
  });

  test('names the operator, its unit and the permissions of its role', async () => {
    await organizer.post(path(), { businessUnitId: unit });
    const { operator } = (await organizer.send('/api/session')).json();
    const caller = await callerOf('operator');
    expect(caller).toMatchObject({
      iss: 'console',
      unit,
      cur: 'CHF',
      actor: { type: 'operator', id: operator.id },
    });
    expect(caller.perm).toContain('design');
    expect(caller.perm).not.toContain('money');
    expect(caller.perm).not.toContain('platform');
  });

  test('is signed for each operator separately', async () => {
    const tokens = [];
    for (const browser of [organizer, viewer, organizer]) {
      await browser.post(path(), { businessUnitId: unit });
      tokens.push(last().headers['x-caller']);
    }
    expect(tokens[0]).not.toBe(tokens[1]);
    expect(tokens[0]).toBe(tokens[2]);
  });

  test('is signed with the new role after a change of it', async () => {
    const member = await app.signIn('fiona');
    await app.join(member, unit, 'viewer');
    const { operator } = (await member.send('/api/session')).json();
    await member.post(path(), { businessUnitId: unit });
    expect((await callerOf('operator')).perm).not.toContain('money');
    const input = { businessUnitId: unit, operatorId: operator.id, role: 'finance' };
    await app.command('member.setRole', input);
    await member.post(path(), { businessUnitId: unit });
    expect((await callerOf('operator')).perm).toContain('money');
  });

  test('returns status, body and headers of the owner unchanged', async () => {
    const text = '{"error":{"code":412,"status":"FAILED_PRECONDITION","message":"x"}}';
    app.owners.respondWith((_request, response) =>
      response
        .writeHead(412, { 'content-type': 'application/json', 'retry-after': '7', 'x-own': '1' })
        .end(text),
    );
    const response = await organizer.post(path(), { businessUnitId: unit });
    expect([response.status, response.text]).toEqual([412, text]);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(response.headers.get('x-own')).toBeNull();
  });

  test('of several owners goes to the one that its input names', async () => {
    const path = `/api/units/${unit}/operator/perk.bind`;
    const input = { businessUnitId: unit, eventId: 'evt_1', perkId: 'perk_1', targetId: 'x' };
    const rejected = await organizer.post(path, { ...input, targetType: 'poster' });
    expect([rejected.status, rejected.json().error.details[0].field]).toEqual([400, 'targetType']);
    expect(app.owners.received).toEqual([]);
    await organizer.post(path, { ...input, targetType: 'redemption_code' });
    expect(last().url).toBe('/operator/perk.bind');
  });

  test('without the permission of the role is a 403 and reaches no owner', async () => {
    const input = { businessUnitId: unit, eventId: 'evt_1', orderId: 'ord_1' };
    const refund = await organizer.post(`/api/units/${unit}/operator/order.refund`, input);
    expect([refund.status, refund.json().error.status]).toEqual([403, 'PERMISSION_DENIED']);
    const created = await viewer.post(`/api/units/${unit}/v1/events`, { name: 'Summit' });
    expect(created.status).toBe(403);
    expect(app.owners.received).toEqual([]);
  });

  test('with another business unit in its body is a 404 and reaches no owner', async () => {
    const [foreign, missing] = [
      await organizer.post(path(), { businessUnitId: newUnit() }),
      await organizer.post(path(), { businessUnitId: 'unit_missing' }),
    ];
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
    expect(foreign.json().error.details).toMatchObject([{ field: 'businessUnitId' }]);
    expect(app.owners.received).toEqual([]);
  });

  test('that does not exist is a 404', async () => {
    const response = await organizer.post(`/api/units/${unit}/operator/unit.destroy`);
    expect(response.status).toBe(404);
    expect(app.owners.received).toEqual([]);
  });

  test('is a 400 for a body that is not JSON', async () => {
    const response = await organizer.send(path(), { method: 'POST', body: '{name}' });
    expect(response.status).toBe(400);
  });

  test('of the console itself works like those of the services', async () => {
    const owner = await app.signIn('olivia');
    await app.join(owner, unit, 'owner');
    const { members } = (
      await owner.post(`/api/units/${unit}/operator/member.list`, { businessUnitId: unit })
    ).json();
    expect(members.map(({ role }: { role: string }) => role)).toContain('organizer');
    const denied = await viewer.post(`/api/units/${unit}/operator/member.list`, {
      businessUnitId: unit,
    });
    expect(denied.status).toBe(403);
    const other = await owner.post(`/api/units/${unit}/operator/member.list`, {
      businessUnitId: newUnit(),
    });
    expect(other.status).toBe(404);
  });
});

describe('an API operation', () => {
  test('reaches its owner with the query and encoded ids', async () => {
    const id = encodeURIComponent('evt_1?x=ä');
    const response = await viewer.send(
      `/api/units/${unit}/v1/events/${id}/orders?limit=3&status=paid`,
    );
    expect(response.status).toBe(200);
    expect(last().url).toBe(`/v1/events/${id}/orders?limit=3&status=paid`);
    expect(await callerOf('api')).toMatchObject({ iss: 'console', unit });
  });

  test('passes on its body, and the location of what it creates', async () => {
    app.owners.respondWith((_request, response) =>
      response
        .writeHead(201, { 'content-type': 'application/json', location: '/v1/events/evt_1' })
        .end('{}'),
    );
    const created = await organizer.post(`/api/units/${unit}/v1/events`, { name: 'Summit' });
    expect([created.status, created.headers.get('location')]).toEqual([201, '/v1/events/evt_1']);
    expect(last().body).toBe('{"name":"Summit"}');
  });

  test('is a 304 when the browser has the current content', async () => {
    app.owners.respondWith((request, response) => {
      const isCurrent = request.headers['if-none-match'] === '"1"';
      response.writeHead(isCurrent ? 304 : 200, {
        etag: '"1"',
        'content-type': 'application/json',
      });
      response.end(isCurrent ? '' : '{}');
    });
    const path = `/api/units/${unit}/v1/events/evt_1`;
    expect((await viewer.send(path)).headers.get('etag')).toBe('"1"');
    const again = await viewer.send(path, { headers: { 'if-none-match': '"1"' } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test.each(['..', '%2e%2e', 'a%2Fb', '%5C'])('is a 404 for the id %s', async (id) => {
    const response = await viewer.send(`/api/units/${unit}/v1/events/${id}/orders`);
    expect(response.status).toBe(404);
    expect(app.owners.received).toEqual([]);
  });

  test('reads what an earlier request of the unit has written', async () => {
    const token = '2027-01-01T00:00:00.000000000Z;catalog=17';
    app.owners.respondWith((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'x-read-after': token })
        .end('{}'),
    );
    const body = { businessUnitId: unit, eventId: 'evt_9' };
    await organizer.post(`/api/units/${unit}/operator/form.set`, body);
    await viewer.send(`/api/units/${unit}/v1/events/evt_9/registrations`);
    expect(last().headers['x-read-after']).toBe(token);
    await viewer.send(`/api/units/${unit}/v1/events/evt_8/registrations`);
    expect(last().headers['x-read-after']).toBeUndefined();
  });
});

describe('a business unit', () => {
  test('of others gets the response of one that does not exist, byte by byte', async () => {
    const foreign = newUnit();
    await app.join(await app.signIn('olivia'), foreign, 'owner');
    const responses = await Promise.all(
      [foreign, 'unit_missing', newUnit()].map(async (id) => {
        const { status, text } = await viewer.send(`/api/units/${id}/v1/events`);
        return { status, text };
      }),
    );
    expect(responses[0]?.status).toBe(404);
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    const posted = await viewer.post(`/api/units/${foreign}/operator/event.list`, {});
    expect([posted.status, posted.text]).toEqual([404, responses[0]?.text]);
  });

  test('is closed for a removed member with its next request', async () => {
    const own = newUnit();
    const [owner, leaver] = [await app.signIn('olivia'), await app.signIn('dario')];
    await app.join(owner, own, 'owner');
    await app.join(leaver, own, 'door');
    const read = () => leaver.send(`/api/units/${own}/v1/events`);
    expect((await read()).status).toBe(200);
    const { operator } = (await leaver.send('/api/session')).json();
    const input = { businessUnitId: own, operatorId: operator.id };
    const removed = await owner.post(`/api/units/${own}/operator/member.remove`, input);
    expect(removed.status).toBe(200);
    expect((await read()).status).toBe(404);
  });
});

describe('a service that is away', () => {
  test('is a 503 that names it', async () => {
    await viewer.send(`/api/units/${unit}/v1/events`);
    app.owners.setAway(true);
    const response = await viewer.send(`/api/units/${unit}/v1/events/evt_1/orders`);
    expect([response.status, response.json().error.status]).toEqual([503, 'UNAVAILABLE']);
    expect(response.json().error.details).toEqual([{ owner: 'commerce' }]);
    expect(response.headers.get('retry-after')).toBe('1');
  });

  test('is counted by owner and outcome', async () => {
    const count = async (outcome: string) =>
      Number(
        new RegExp(
          `console_owner_requests_total\\{owner="catalog",outcome="${outcome}"\\} (\\d+)`,
        ).exec(await app.metrics())?.[1] ?? 0,
      );
    const path = `/api/units/${unit}/v1/events`;
    const before = [await count('success'), await count('away')] as const;
    await organizer.send(path);
    app.owners.setAway(true);
    await organizer.send(path);
    expect([await count('success'), await count('away')]).toEqual([before[0] + 1, before[1] + 1]);
  });

  test('does not end the session when it rejects the token of the console', async () => {
    app.owners.respondWith((_request, response) => response.writeHead(401).end('{}'));
    const response = await viewer.send(`/api/units/${unit}/v1/events`);
    expect(response.status).toBe(503);
  });
});

describe('a command of the platform', () => {
  test('is for administrators of the platform only', async () => {
    const admin = await app.signIn('paula');
    expect((await admin.post('/api/platform/operator/unit.list')).status).toBe(403);
    const { link } = await app.command('operator.invite', { platformAdmin: true });
    await admin.post('/api/invitations/accept', { token: new URL(link).hash.slice(1) });
    expect((await admin.post('/api/platform/operator/unit.list')).status).toBe(200);
    expect(await callerOf('operator')).toMatchObject({ unit: '', perm: ['platform'] });
    expect((await admin.send(`/api/units/${unit}/v1/events`)).status).toBe(404);
    expect((await organizer.post('/api/platform/operator/unit.list')).status).toBe(403);
  });
});

test('the parts of the platform are listed for its administrators, those that are away, too', async () => {
  expect((await viewer.send('/api/platform/parts')).status).toBe(403);
  const { link } = await app.command('operator.invite', { platformAdmin: true });
  const admin = await app.signIn('paula');
  await admin.post('/api/invitations/accept', { token: new URL(link).hash.slice(1) });
  const readiness = async () =>
    Object.fromEntries(
      (await admin.send('/api/platform/parts'))
        .json()
        .parts.map(({ name, isReady }: { name: string; isReady: boolean }) => [name, isReady]),
    );
  expect(await readiness()).toMatchObject({ catalog: true, gateway: true, console: true });
  app.owners.setAway(true);
  expect(await readiness()).toMatchObject({ catalog: false, gateway: false, console: true });
});

test('services that do not reach the message bus are listed for every operator', async () => {
  const delayed = async () => (await viewer.send('/api/messages')).json();
  expect(await delayed()).toEqual({ delayed: [] });
  const states = { postgres: 'up', nats: { reason: 'refused' } };
  app.owners.respondWith((_request, response) =>
    response.end(JSON.stringify({ status: 'ready', dependencies: states })),
  );
  expect(await delayed()).toEqual({ delayed: serviceNames });
  // Nothing is known about the messages of a service that is away.
  app.owners.setAway(true);
  expect(await delayed()).toEqual({ delayed: [] });
});

test('GET /api/commands describes every command with the schemas of its owners', async () => {
  const { commands } = (await viewer.send('/api/commands')).json();
  // biome-ignore lint/suspicious/noExplicitAny: the description of any command.
  const named = (name: string): any =>
    commands.find(({ operationId }: { operationId: string }) => operationId === name);
  expect(named('order.refund')).toMatchObject({
    tag: expect.any(String),
    summary: expect.any(String),
    permission: ['money'],
    variants: [{ owner: 'commerce', schema: { type: 'object' } }],
  });
  const resync = named('projection.resync').variants;
  expect(
    resync.map(({ owner, schema }: { owner: string; schema: { properties: object } }) => [
      owner,
      schema.properties,
    ]),
  ).toEqual(
    ['catalog', 'registration', 'commerce', 'onsite'].map((name) => [
      name,
      { service: expect.objectContaining({ const: name }) },
    ]),
  );
});

test('a session above its limit is rejected with 429', async () => {
  const limited = await startTestConsole({ limits: { session: 3, address: 10_000 } });
  try {
    const browser = await limited.signIn('vera');
    const statuses = [];
    // A new minute may begin in between; then the session gets its requests again.
    for (let i = 0; i < 8; i++) statuses.push((await browser.send('/api/session')).status);
    expect(statuses.slice(0, 3)).toEqual([200, 200, 200]);
    expect(statuses).toContain(429);
  } finally {
    await limited.close();
  }
});
