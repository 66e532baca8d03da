import { nextDigest } from '@event-api/contracts/http/change-digest';
import type { Change } from '@event-api/contracts/http/changes';
import {
  type WebhookEndpoint as EndpointSchema,
  endpointStatuses,
} from '@event-api/contracts/http/webhook-endpoints';
import { decrypt, readKeyRing } from '@event-api/platform/core/key-ring';
import { eventually } from '@event-api/platform/testing/eventually';
import type { HttpClient, TestResponse } from '@event-api/platform/testing/http-client';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { reencryptSecrets } from '../src/webhooks/reencrypt.ts';
import { signingKeysOf } from '../src/webhooks/secrets.ts';
import { sign } from '../src/webhooks/signing.ts';
import { disableEndpoint } from '../src/webhooks/write-endpoint.ts';
import { newSecretsKey, newUnit, startChanges, type TestChanges } from './harness.ts';

let platform: TestChanges;
beforeAll(async () => {
  platform = await startChanges({ replicas: 2 });
});
afterAll(() => platform?.close());

type Endpoint = z.output<typeof EndpointSchema>;
type Created = Endpoint & { secret: string };

const url = 'https://shop.example/webhooks';
const root = '/v1/webhook-endpoints';

const expectStatus = (response: TestResponse, status: number): TestResponse => {
  expect(response.status, JSON.stringify(response.body)).toBe(status);
  return response;
};
const reasonOf = ({ status, body }: TestResponse) => [status, body.error.details?.[0]?.reason];

async function create(client: HttpClient, body: object = { url }): Promise<Created> {
  return expectStatus(await client('POST', root, { body }), 201).body;
}

async function read(client: HttpClient, id: string): Promise<Endpoint> {
  return expectStatus(await client('GET', `${root}/${id}`), 200).body;
}

async function update(client: HttpClient, id: string, body: object): Promise<Endpoint> {
  return expectStatus(await client('PATCH', `${root}/${id}`, { body }), 200).body;
}

/** Makes an endpoint enabled, as an acknowledged ping does. */
const enable = (id: string, db = platform) =>
  db.sql(
    `update changes.webhook_endpoint set status = 'enabled', ping_id = null, ping_at = null, ping_until = null where id = $1`,
    [id],
  );

async function rowOf<Row>(id: string, columns: string): Promise<Row> {
  const [row] = await platform.sql<Row>(
    `select ${columns} from changes.webhook_endpoint where id = $1`,
    [id],
  );
  if (!row) throw new Error('there is no such endpoint');
  return row;
}

async function addChanges(unit: string, count: number): Promise<string[]> {
  const ids = Array.from(
    { length: count },
    () => platform.owners.commerce.add({ businessUnitId: unit }).change.id,
  );
  await platform.sequence();
  return ids;
}

async function changesOf(client: HttpClient, query = ''): Promise<Change[]> {
  return expectStatus(await client('GET', `/v1/changes${query}`), 200).body.changes;
}

describe('creating an endpoint', () => {
  test('returns it with its secret, pending and with a ping that is due', async () => {
    const unit = newUnit();
    await addChanges(unit, 3);
    const client = await platform.as(unit);
    const response = expectStatus(
      await client('POST', root, { body: { url, types: ['order.paid', 'order.paid'] } }),
      201,
    );
    const { id } = response.body;
    expect(id).toMatch(/^whe_/);
    expect(response.headers.location).toBe(`${root}/${id}`);
    const { secret, ...endpoint } = response.body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint).toEqual({
      id,
      url,
      types: ['order.paid'],
      status: 'pending',
      disabledReason: null,
      publicKey: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/),
      watermark: 3,
      failingSince: null,
      replay: null,
      createdAt: expect.any(String),
      updatedAt: endpoint.createdAt,
    });
    expect(await read(client, id)).toEqual(endpoint);
    expect(await rowOf(id, 'next, ping_id, ping_attempts, ping_at <= now() as is_due')).toEqual({
      next: '4',
      ping_id: expect.stringMatching(/^png_/),
      ping_attempts: 0,
      is_due: true,
    });
  });

  test.each([
    [{}, 'url', 'required'],
    [{ url: 'http://shop.example/' }, 'url', 'invalid_value'],
    [{ url: 'https://localhost/' }, 'url', 'address_not_allowed'],
    [{ url: 'https://10.0.0.1/hook' }, 'url', 'address_not_allowed'],
    [{ url: 'https://[64:ff9b::7f00:1]/' }, 'url', 'address_not_allowed'],
    [{ url: 'https://user@shop.example/' }, 'url', 'invalid_value'],
    [{ url: 'https://shop.example:9443/' }, 'url', 'invalid_value'],
    [{ url: `https://shop.example/${'a'.repeat(2000)}` }, 'url', 'too_big'],
    [{ url, types: [] }, 'types', 'too_small'],
    [{ url, types: ['order.exploded'] }, 'types[0]', 'invalid_value'],
    [{ url, label: 'shop' }, 'label', 'unknown_field'],
  ])('returns 400 for %j', async (body, field, code) => {
    const response = await (await platform.as(newUnit()))('POST', root, { body });
    expectStatus(response, 400);
    expect(response.body.error.details).toMatchObject([{ field, code }]);
  });

  test('with an Idempotency-Key creates one endpoint and returns its secret again, which no table contains', async () => {
    const client = await platform.as(newUnit());
    const send = () =>
      client('POST', root, { body: { url }, headers: { 'idempotency-key': 'once' } });
    const [first, second] = [await send(), await send()];
    expectStatus(second, 201);
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replayed']).toBe('true');
    const { secret } = first.body as Created;
    const tables = ['webhook_endpoint', 'idempotency_key', 'feed_change'];
    for (const table of tables) {
      const rows = await platform.sql<{ row: string }>(
        `select to_jsonb(t)::text as row from changes.${table} t`,
      );
      expect(rows.filter(({ row }) => row.includes(secret.slice('whsec_'.length)))).toEqual([]);
      expect(rows.filter(({ row }) => /whsec_|whsk_/.test(row))).toEqual([]);
    }
  });

  test('returns 412 for the twenty-first that is not disabled, also of many at once', async () => {
    const unit = newUnit();
    const client = await platform.as(unit);
    const clients = [client, await platform.as(unit, { n: 1 })];
    const endpoints: Created[] = [];
    for (let n = 0; n < 10; n++) endpoints.push(await create(client));
    const responses = await Promise.all(
      Array.from({ length: 20 }, () =>
        clients.map((each) => each('POST', root, { body: { url } })),
      ).flat(),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(statuses.filter((status) => status === 412)).toHaveLength(30);
    const rejected = responses.find(({ status }) => status === 412);
    expect(rejected?.body.error.details).toEqual([{ reason: 'TOO_MANY_ENDPOINTS', limit: 20 }]);

    const [disabled] = endpoints as [Created];
    await update(client, disabled.id, { status: 'disabled' });
    await create(client);
    const enabled = await client('PATCH', `${root}/${disabled.id}`, {
      body: { status: 'enabled' },
    });
    expect(reasonOf(enabled)).toEqual([412, 'TOO_MANY_ENDPOINTS']);
  });
});

describe('the list of endpoints', () => {
  test('is newest first, in pages, and can be narrowed to a status', async () => {
    const client = await platform.as(newUnit());
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.unshift((await create(client)).id);
    await update(client, ids[1] ?? '', { status: 'disabled' });
    const list = async (query: string) =>
      expectStatus(await client('GET', `${root}?${query}`), 200).body as {
        webhookEndpoints: Endpoint[];
        nextCursor: string | null;
      };
    const first = await list('limit=2');
    expect(first.webhookEndpoints.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.webhookEndpoints[0]).not.toHaveProperty('secret');
    const second = await list(`limit=2&cursor=${first.nextCursor}`);
    expect(second.webhookEndpoints.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(second.nextCursor).toBeNull();
    const disabled = await list('status=disabled');
    expect(disabled.webhookEndpoints.map(({ id }) => id)).toEqual([ids[1]]);
    const other = await client('GET', `${root}?status=pending&cursor=${first.nextCursor}`);
    expectStatus(other, 400);
  });
});

test('every operation on an endpoint returns an identical 404 for one of another business unit and an unknown one', async () => {
  const { id } = await create(await platform.as(newUnit()));
  const foreign = await platform.as(newUnit());
  const operations = [
    ['GET', ''],
    ['PATCH', '', { status: 'disabled' }],
    // The body is validated afterwards.
    ['PATCH', '', { status: 'exploded' }],
    ['POST', '/rotate-secret'],
    ['POST', '/test'],
    ['POST', '/replay', { from: 1, to: 1 }],
    ['GET', '/deliveries'],
    ['GET', '/deliveries?limit=0'],
  ] as const;
  for (const [method, path, body] of operations) {
    const [other, unknown] = await Promise.all(
      [id, 'whe_unknown'].map((each) => foreign(method, `${root}/${each}${path}`, { body })),
    );
    expect(other?.status, `${method} ${path}`).toBe(404);
    expect(other?.body).toEqual(unknown?.body);
  }
});

describe('updating an endpoint', () => {
  test('changes the fields that are sent', async () => {
    const client = await platform.as(newUnit());
    const { id } = await create(client, { url, types: ['order.paid'] });
    await enable(id);
    const all = await update(client, id, { types: null });
    expect(all).toMatchObject({ types: null, url, status: 'enabled' });
    const moved = await update(client, id, { url: 'https://other.example:8443/a?b' });
    expect(moved).toMatchObject({ url: 'https://other.example:8443/a?b', status: 'pending' });
    expect(await rowOf(id, 'ping_id')).toEqual({ ping_id: expect.stringMatching(/^png_/) });
  });

  test.each([
    [{ url: 'ftp://shop.example/' }, 'url'],
    [{ resumeFrom: 'now' }, 'resumeFrom'],
    [{ status: 'disabled', resumeFrom: 'now' }, 'resumeFrom'],
    [{ status: 'enabled', resumeFrom: 'then' }, 'resumeFrom'],
    [{ status: 'exploded' }, 'status'],
    [{ secret: 'whsec_own' }, 'secret'],
  ])('returns 400 for %j', async (body, field) => {
    const client = await platform.as(newUnit());
    const { id } = await create(client);
    const response = expectStatus(await client('PATCH', `${root}/${id}`, { body }), 400);
    expect(response.body.error.details).toMatchObject([{ field }]);
  });
});

describe('disabling an endpoint', () => {
  test('reports one change in the feed, wakes requests that wait, and ends its replay', async () => {
    const unit = newUnit();
    const client = await platform.as(unit);
    await addChanges(unit, 2);
    const { id } = await create(client);
    await enable(id);
    expectStatus(await client('POST', `${root}/${id}/replay`, { body: { from: 1, to: 2 } }), 200);
    const head = (await client('GET', '/v1/changes/head')).body;
    const waiting = changesOf(
      await platform.as(unit, { n: 1 }),
      `?after=${head.cursor}&wait=5&limit=1`,
    );
    await eventually(() => expect(platform.replica(1).waiting.units()).toContain(unit));
    const disabled = await update(client, id, { status: 'disabled' });
    expect(disabled).toMatchObject({
      status: 'disabled',
      disabledReason: 'requested',
      replay: null,
    });
    const [change] = await waiting;
    expect(change).toEqual({
      id: expect.stringMatching(/^chg_/),
      sequence: 3,
      type: 'webhook_endpoint.disabled',
      occurredAt: disabled.updatedAt,
      eventId: null,
      object: { type: 'webhook_endpoint', id, version: expect.any(Number) },
      previous: { status: 'enabled' },
      current: { status: 'disabled' },
      actor: { type: 'key', id: 'key_1' },
    });
    expect(change?.object.version).toBeGreaterThan(1_700_000_000_000_000);
    const after = (await client('GET', '/v1/changes/head')).body;
    expect(after).toMatchObject({ sequence: 3, epoch: head.epoch });
    expect(after.digest).toBe(nextDigest(head.digest, change as Change));

    await update(client, id, { status: 'disabled' });
    await addChanges(unit, 1);
    const types = (await changesOf(client)).map(({ type }) => type);
    expect(types).toEqual(['order.paid', 'order.paid', 'webhook_endpoint.disabled', 'order.paid']);
  });

  test.each(endpointStatuses.flatMap((from) => endpointStatuses.map((to) => [from, to] as const)))(
    'is the only move of an endpoint that the feed reports: from %s to %s',
    async (from, to) => {
      const client = await platform.as(newUnit());
      const { id } = await create(client);
      if (from === 'enabled') await enable(id);
      if (from === 'disabled') await update(client, id, { status: 'disabled' });
      const before = await changesOf(client);
      // An acknowledged ping enables, and a request begins with a ping.
      if (to === 'disabled') await update(client, id, { status: 'disabled' });
      else await update(client, id, { status: 'enabled' });
      if (to === 'enabled') await enable(id);
      const reported = (await changesOf(client)).slice(before.length);
      const isDisabled = to === 'disabled' && from !== 'disabled';
      expect(reported.map(({ type, previous, current }) => [type, previous, current])).toEqual(
        isDisabled ? [['webhook_endpoint.disabled', { status: from }, { status: to }]] : [],
      );
    },
  );

  test('twice at once, by a request and after failures, reports one change', async () => {
    const businessUnitId = newUnit();
    const client = await platform.as(businessUnitId);
    const { id } = await create(client);
    const { db } = platform.replica(1);
    const [, wasDisabled] = await Promise.all([
      update(client, id, { status: 'disabled' }),
      db.transaction((tx) =>
        disableEndpoint(tx, { id, businessUnitId }, 'gone', platform.clock.now()),
      ),
    ]);
    const { disabledReason } = await read(client, id);
    expect(disabledReason).toBe(wasDisabled ? 'gone' : 'requested');
    expect(await changesOf(client)).toMatchObject([
      { type: 'webhook_endpoint.disabled', object: { id } },
    ]);
  });

  test('and enabling makes it pending after its watermark, with the failed deliveries due', async () => {
    const unit = newUnit();
    const client = await platform.as(unit);
    const { id } = await create(client);
    await addChanges(unit, 3);
    await platform.sql(
      `insert into changes.webhook_lane values ($1, 'ord_1', 1, 7, now() + interval '1 day')`,
      [id],
    );
    await update(client, id, { status: 'disabled' });
    const enabled = await update(client, id, { status: 'enabled' });
    expect(enabled).toMatchObject({ status: 'pending', disabledReason: null, watermark: 0 });
    expect(await lanesOf(id)).toEqual([{ attempts: 0, is_due: true }]);

    await update(client, id, { status: 'disabled' });
    const resumed = await update(client, id, { status: 'enabled', resumeFrom: 'now' });
    // Both disables are changes, too.
    expect(resumed).toMatchObject({ status: 'pending', watermark: 5 });
    expect(await rowOf(id, 'next')).toEqual({ next: '6' });
    expect(await lanesOf(id)).toEqual([]);
  });

  test('for longer than the feed keeps changes requires `resumeFrom: now`', async () => {
    const unit = newUnit();
    const client = await platform.as(unit);
    const { id } = await create(client);
    await addChanges(unit, 2);
    await update(client, id, { status: 'disabled' });
    await platform.sql('update changes.feed_head set floor = 1 where business_unit_id = $1', [
      unit,
    ]);
    const path = `${root}/${id}`;
    const enabled = await client('PATCH', path, { body: { status: 'enabled' } });
    expect(reasonOf(enabled)).toEqual([412, 'CHANGE_EXPIRED']);
    await update(client, id, { status: 'enabled', resumeFrom: 'now' });
  });

  const lanesOf = (id: string) =>
    platform.sql(
      'select attempts, next_at <= now() as is_due from changes.webhook_lane where endpoint_id = $1',
      [id],
    );
});

describe('rotating the secret', () => {
  const rotate = async (client: HttpClient, id: string, key?: string): Promise<Created> => {
    const options = key === undefined ? {} : { headers: { 'idempotency-key': key } };
    return expectStatus(await client('POST', `${root}/${id}/rotate-secret`, options), 200).body;
  };

  /** Headers of a delivery, signed now with the keys that are valid in `aheadHours`. */
  async function signedNow(id: string, body: string, aheadHours = 0) {
    const row = await rowOf<{ secret: string; previousSecrets: []; signingKey: string }>(
      id,
      'secret, previous_secrets as "previousSecrets", signing_key as "signingKey"',
    );
    const now = platform.clock.now();
    const then = new Date(now.getTime() + aheadHours * 3_600_000);
    const keys = signingKeysOf(platform.replica(0).deps.keyRing, { id, ...row }, then);
    const timestamp = Math.floor(now.getTime() / 1000);
    return {
      'webhook-id': 'chg_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign(body, { id: 'chg_1', timestamp, ...keys }),
    };
  }

  test('lets receivers with the old and the new secret verify for 24 hours', async () => {
    const client = await platform.as(newUnit());
    const { id, secret, publicKey } = await create(client);
    const rotated = await rotate(client, id);
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.publicKey).toBe(publicKey);
    const body = '{"type":"order.paid"}';
    const verify = async (with_: string, aheadHours: number) =>
      new Webhook(with_).verify(body, await signedNow(id, body, aheadHours));
    for (const each of [secret, rotated.secret]) {
      expect(await verify(each, 23.9)).toEqual({ type: 'order.paid' });
    }
    expect(await verify(rotated.secret, 24.1)).toEqual({ type: 'order.paid' });
    await expect(verify(secret, 24.1)).rejects.toThrow('No matching signature');
  });

  test('twice at once keeps all secrets valid', async () => {
    const client = await platform.as(newUnit());
    const { id, secret } = await create(client);
    const rotated = await Promise.all([rotate(client, id), rotate(client, id)]);
    const secrets = [secret, ...rotated.map((each) => each.secret)];
    expect(new Set(secrets).size).toBe(3);
    const headers = await signedNow(id, '{}');
    for (const each of secrets) expect(new Webhook(each).verify('{}', headers)).toEqual({});
  });

  test('with an Idempotency-Key rotates once', async () => {
    const client = await platform.as(newUnit());
    const { id } = await create(client);
    const first = await rotate(client, id, 'once');
    const second = await rotate(client, id, 'once');
    expect(second.secret).toBe(first.secret);
    const { count } = await rowOf<{ count: number }>(
      id,
      'jsonb_array_length(previous_secrets) as count',
    );
    expect(count).toBe(1);
  });
});

describe('a test', () => {
  test('makes a ping due and returns its id', async () => {
    const client = await platform.as(newUnit());
    const { id } = await create(client);
    await enable(id);
    const { body } = expectStatus(await client('POST', `${root}/${id}/test`), 200);
    expect(await rowOf(id, 'ping_id, ping_at <= now() as is_due, status')).toEqual({
      ping_id: body.changeId,
      is_due: true,
      status: 'enabled',
    });
  });

  test('of a disabled endpoint is a 412', async () => {
    const client = await platform.as(newUnit());
    const { id } = await create(client);
    await update(client, id, { status: 'disabled' });
    const response = await client('POST', `${root}/${id}/test`);
    expect(reasonOf(response)).toEqual([412, 'ENDPOINT_DISABLED']);
  });
});

describe('a replay', () => {
  async function endpointWith(changes: number) {
    const unit = newUnit();
    const client = await platform.as(unit);
    const ids = await addChanges(unit, changes);
    const { id } = await create(client);
    const replay = (body: object, key?: string) =>
      client('POST', `${root}/${id}/replay`, {
        body,
        ...(key !== undefined && { headers: { 'idempotency-key': key } }),
      });
    return { unit, client, id, ids, replay };
  }

  test('of a range is shown in the endpoint', async () => {
    const { client, id, replay } = await endpointWith(3);
    const { body } = expectStatus(await replay({ from: 1, to: 3 }), 200);
    expect(body).toEqual({
      id: expect.stringMatching(/^rpl_/),
      from: 1,
      to: 3,
      createdAt: expect.any(String),
    });
    expect(await read(client, id)).toMatchObject({ replay: body, watermark: 3 });
  });

  test('of one change begins at its sequence', async () => {
    const { ids, replay } = await endpointWith(3);
    const { body } = expectStatus(await replay({ changeId: ids[1] }), 200);
    expect(body).toMatchObject({ from: 2, to: 2 });
  });

  test('of two at once begins one, and the other is a 409 ABORTED', async () => {
    const { replay } = await endpointWith(2);
    const responses = await Promise.all([1, 2].map((n) => replay({ from: n, to: 2 })));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const rejected = responses.find(({ status }) => status === 409);
    expect(rejected?.body.error.status).toBe('ABORTED');
    expect(rejected?.headers['retry-after']).toBe('5');
  });

  test('is recognized by a retry with the same Idempotency-Key', async () => {
    const { unit, replay } = await endpointWith(2);
    const first = await replay({ from: 1, to: 2 }, 'once');
    // The response of the first run was lost before it was stored.
    await platform.sql(
      `update changes.idempotency_key set response_status = null, response_body = null, lease_until = now()
       where business_unit_id = $1 and key = 'once'`,
      [unit],
    );
    expect(expectStatus(await replay({ from: 1, to: 2 }, 'once'), 200).body).toEqual(first.body);
  });

  test.each([
    [{}, 'from'],
    [{ from: 1 }, 'to'],
    [{ to: 1 }, 'from'],
    [{ from: 2, to: 1 }, 'to'],
    [{ from: 0, to: 1 }, 'from'],
    [{ from: 1, to: 3 }, 'to'],
    [{ from: 3, to: 3 }, 'from'],
    [{ from: 1, to: 1, changeId: 'chg_1' }, 'from'],
  ])('returns 400 for %j', async (body, field) => {
    const { replay } = await endpointWith(2);
    const response = expectStatus(await replay(body), 400);
    expect(response.body.error.details[0]).toMatchObject({ field });
  });

  test('returns 404 for a change of another business unit', async () => {
    const { replay } = await endpointWith(1);
    const [foreign] = await addChanges(newUnit(), 1);
    const responses = await Promise.all([foreign, 'chg_1'].map((changeId) => replay({ changeId })));
    for (const response of responses) {
      expectStatus(response, 404);
      expect(response.body.error.details).toMatchObject([{ field: 'changeId', code: 'not_found' }]);
    }
    expect(responses[0]?.body).toEqual(responses[1]?.body);
  });

  test('returns 412 for changes that are not kept, and for a disabled endpoint', async () => {
    const { unit, client, id, replay } = await endpointWith(2);
    await platform.sql('update changes.feed_head set floor = 1 where business_unit_id = $1', [
      unit,
    ]);
    expect(reasonOf(await replay({ from: 1, to: 2 }))).toEqual([412, 'CHANGE_EXPIRED']);
    await update(client, id, { status: 'disabled' });
    expect(reasonOf(await replay({ from: 2, to: 2 }))).toEqual([412, 'ENDPOINT_DISABLED']);
  });
});

describe('the deliveries of an endpoint', () => {
  test('are newest first, in pages, by result and by change', async () => {
    const unit = newUnit();
    const client = await platform.as(unit);
    const { id } = await create(client);
    const attempts = [
      ['png_1', null, 'ping', 1, 'delivered', 200, null],
      ['chg_1', 1, 'order.paid', 1, 'retrying', null, 'timeout'],
      ['chg_2', 2, 'order.paid', 1, 'delivered', 204, null],
      ['chg_1', 1, 'order.paid', 2, 'failed', 500, 'status'],
    ];
    for (const attempt of attempts) {
      await platform.sql(
        `insert into changes.webhook_attempt (endpoint_id, business_unit_id, change_id, sequence, type, attempt, result,
           response_status, reason, is_replay, duration_ms, attempted_at, url, cursor)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, false, 12, now(), 'https://shop.example/', 'MS54')`,
        [id, unit, ...attempt],
      );
    }
    const list = async (query = '') => {
      const { body } = expectStatus(await client('GET', `${root}/${id}/deliveries?${query}`), 200);
      return body as { deliveries: { changeId: string; attempt: number }[]; nextCursor: string };
    };
    const idsOf = async (query: string) =>
      (await list(query)).deliveries.map(({ changeId, attempt }) => [changeId, attempt]);
    const { deliveries } = await list();
    expect(deliveries[0]).toEqual({
      id: expect.stringMatching(/^whd_\d+$/),
      changeId: 'chg_1',
      sequence: 1,
      type: 'order.paid',
      attempt: 2,
      isReplay: false,
      result: 'failed',
      responseStatus: 500,
      reason: 'status',
      durationMs: 12,
      attemptedAt: expect.any(String),
    });
    const newestFirst = [
      ['chg_1', 2],
      ['chg_2', 1],
      ['chg_1', 1],
      ['png_1', 1],
    ];
    expect(await idsOf('')).toEqual(newestFirst);
    const { nextCursor } = await list('limit=3');
    expect(await idsOf(`limit=3&cursor=${nextCursor}`)).toEqual(newestFirst.slice(3));
    expect(await idsOf('result=delivered')).toEqual([
      ['chg_2', 1],
      ['png_1', 1],
    ]);
    expect(await idsOf('result=retrying')).toEqual([['chg_1', 1]]);
    expect(await idsOf('result=failed')).toEqual([['chg_1', 2]]);
    expect(await idsOf('changeId=chg_1')).toEqual([
      ['chg_1', 2],
      ['chg_1', 1],
    ]);
    expect(await idsOf('changeId=chg_1&result=retrying')).toEqual([['chg_1', 1]]);
  });
});

describe('the key ring', () => {
  test('can be replaced after the secrets were encrypted again', async () => {
    const own = await startChanges();
    try {
      const client = await own.as(newUnit());
      const { id, secret } = await create(client);
      expectStatus(await client('POST', `${root}/${id}/rotate-secret`), 200);
      for (let n = 0; n < 3; n++) await create(await own.as(newUnit()));
      const next = newSecretsKey();
      const ring = readKeyRing([next, own.secretsKey]);
      const { db } = own.replica(0);
      expect(await reencryptSecrets(db, ring)).toEqual({ endpoints: 4, reencrypted: 4 });
      expect(await reencryptSecrets(db, ring)).toEqual({ endpoints: 4, reencrypted: 0 });
      const [row] = await own.sql<{ previous_secrets: { secret: string }[]; signing_key: string }>(
        'select previous_secrets, signing_key from changes.webhook_endpoint where id = $1',
        [id],
      );
      const renewed = readKeyRing([next]);
      expect(decrypt(renewed, id, row?.previous_secrets[0]?.secret ?? '')).toBe(secret);
      expect(decrypt(renewed, id, row?.signing_key ?? '')).toMatch(/^whsk_/);
    } finally {
      await own.close();
    }
  });

  test('encrypts again by an operator command', async () => {
    const operator = await platform.operator();
    const { body } = expectStatus(
      await operator('POST', '/operator/webhook.reencrypt', { body: {} }),
      200,
    );
    expect(body).toEqual({ endpoints: expect.any(Number), reencrypted: 0 });
  });
});

test('no log line contains a secret', async () => {
  const client = await platform.as(newUnit());
  const { id, secret } = await create(client);
  const rotated = await client('POST', `${root}/${id}/rotate-secret`);
  const [{ signing_key: signingKey }] = [await rowOf<{ signing_key: string }>(id, 'signing_key')];
  await client('PATCH', `${root}/${id}`, { raw: '{"url":' });
  const all = platform.logs().join('\n');
  expect(all).toContain('listening');
  for (const each of [secret, rotated.body.secret, signingKey, platform.secretsKey]) {
    expect(all).not.toContain(each);
  }
  expect(all).not.toMatch(/whsec_|whsk_/);
});
