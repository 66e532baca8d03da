import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestResponse } from '../testing/http-client.ts';
import {
  breakDown,
  createIdempotencyHarness,
  type IdempotencyHarness,
  newKey,
  soldOut,
} from './idempotency-harness.ts';

let world: IdempotencyHarness;
beforeAll(async () => {
  world = await createIdempotencyHarness();
});
beforeEach(() => {
  world.things.clear();
  world.steps.length = 0;
});
afterAll(() => world?.close());

const summary = ({ status, headers }: TestResponse): [number, boolean] => [
  status,
  headers['idempotent-replayed'] === 'true',
];

describe('a retry with the same key', () => {
  test('replays a success', async () => {
    const key = newKey();
    const first = await world.post(key);
    const second = await world.post(key);
    expect([summary(first), summary(second)]).toEqual([
      [201, false],
      [201, true],
    ]);
    expect(second.body).toEqual(first.body);
    expect(world.things.size).toBe(1);
  });

  test('is decided again after a rejection', async () => {
    const key = newKey();
    world.steps.push({ before: soldOut }, { before: soldOut });
    for (const _ of [1, 2]) expect(summary(await world.post(key))).toEqual([412, false]);
    expect(await world.rowsOf(key)).toEqual([]);
    expect(summary(await world.post(key))).toEqual([201, false]);
    expect(summary(await world.post(key))).toEqual([201, true]);
    expect(world.things.size).toBe(1);
  });

  test('is a 400 for another operation with the same body', async () => {
    const key = newKey();
    expect((await world.command(key)).status).toBe(201);
    const other = await world.command(key, { path: '/operator/thing.secret' });
    expect(other.status).toBe(400);
    expect(other.body.error.details).toMatchObject([{ field: 'Idempotency-Key' }]);
    expect(world.things.size).toBe(1);
  });

  test('may have another body after a rejection, which stores nothing', async () => {
    const key = newKey();
    world.steps.push({ before: soldOut });
    expect((await world.post(key)).status).toBe(412);
    expect((await world.post(key, { body: { name: 'y' } })).status).toBe(201);
  });

  test('has one effect when concurrent requests were rejected and a seat is freed', async () => {
    const key = newKey();
    const started = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<void>();
    world.steps.push({
      before: async () => {
        started.resolve();
        await refused.promise;
        soldOut();
      },
    });
    const first = world.post(key);
    await started.promise;
    const meanwhile = await Promise.all(Array.from({ length: 10 }, () => world.post(key)));
    for (const { status, headers, body } of meanwhile) {
      expect([status, body.error.status, headers['retry-after']]).toEqual([409, 'ABORTED', '1']);
    }
    refused.resolve();
    expect((await first).status).toBe(412);
    // The seat is free now: the next run succeeds.
    const retries = await Promise.all(Array.from({ length: 10 }, () => world.post(key)));
    const created = retries.filter((each) => summary(each).join() === '201,false');
    expect(created).toHaveLength(1);
    for (const each of retries) expect([201, 409]).toContain(each.status);
    expect(await world.post(key)).toMatchObject({ status: 201, body: created[0]?.body });
    expect([...world.things]).toEqual([created[0]?.body.id]);
  });

  test('finds the effect of a run that failed after it', async () => {
    const key = newKey();
    world.steps.push({ after: breakDown });
    expect((await world.post(key)).status).toBe(500);
    const retry = await world.post(key);
    expect([summary(retry), [...world.things]]).toEqual([[201, false], [retry.body.id]]);
  });

  test('finds the effect of a failed run after a rejection in between', async () => {
    const key = newKey();
    // The first run has its effect after the second run was rejected.
    const started = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    world.steps.push(
      {
        before: async () => {
          started.resolve();
          await late.promise;
        },
        after: breakDown,
      },
      { before: soldOut },
    );
    const first = world.post(key);
    await started.promise;
    await world.endLease(key);
    expect(summary(await world.post(key))).toEqual([412, false]);
    late.resolve();
    expect((await first).status).toBe(500);
    const retry = await world.post(key);
    expect([summary(retry), [...world.things]]).toEqual([[201, false], [retry.body.id]]);
  });

  test('is not affected by the rejection of a run whose lease has ended', async () => {
    const key = newKey();
    const started = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const late = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const waiting = (run: 0 | 1) => async () => {
      started[run].resolve();
      await late[run].promise;
    };
    world.steps.push(
      { before: () => waiting(0)().then(soldOut) },
      // Its effect exists when the first run is rejected; its response does not.
      { after: waiting(1) },
    );
    const first = world.post(key);
    await started[0].promise;
    await world.endLease(key);
    const second = world.post(key);
    await started[1].promise;
    late[0].resolve();
    expect((await first).status).toBe(412);
    expect((await world.post(key)).body.error.status).toBe('ABORTED');
    late[1].resolve();
    const created = await second;
    expect(summary(created)).toEqual([201, false]);
    expect(await world.post(key)).toMatchObject({ status: 201, body: created.body });
    expect(world.things.size).toBe(1);
  });
});

describe('a body', () => {
  const raw = '{"name":"x","more":{"a":[1,{"b":2,"c":"é"}],"d":null}}';

  test.each([
    ['members in another order', '{"more":{"d":null,"a":[1,{"c":"é","b":2}]},"name":"x"}'],
    ['other whitespace', `\n${raw.replaceAll(',', ' , ')} `],
    ['numbers spelled differently', raw.replace('[1,', '[1.0,').replace('2', '20e-1')],
    ['escaped strings', raw.replace('é', '\\u00e9').replace('"name"', '"\\u006eame"')],
  ])('with %s is the same request', async (_what, other) => {
    const key = newKey();
    const first = await world.post(key, { raw });
    const second = await world.post(key, { raw: other });
    expect([summary(second), second.body]).toEqual([[201, true], first.body]);
  });

  test.each([
    ['another order of elements', raw.replace('[1,{"b":2,"c":"é"}]', '[{"b":2,"c":"é"},1]')],
    ['a value of another type', raw.replace('[1,', '["1",')],
    ['a member less', raw.replace(',"d":null', '')],
  ])('with %s is another request', async (_what, other) => {
    const key = newKey();
    await world.post(key, { raw });
    const { status, body } = await world.post(key, { raw: other });
    expect([status, body.error.details[0].field]).toEqual([400, 'Idempotency-Key']);
  });
});

describe('the keys of operators', () => {
  test('work like those of the API, and are separate from them', async () => {
    const key = newKey();
    const first = await world.command(key);
    expect(summary(first)).toEqual([201, false]);
    expect(await world.command(key)).toMatchObject({ status: 201, body: first.body });
    expect(summary(await world.command(key))).toEqual([201, true]);
    expect(summary(await world.post(key))).toEqual([201, false]);
    expect(summary(await world.post(key, { unit: 'unit_2' }))).toEqual([201, false]);
    expect(world.things.size).toBe(3);
    const rows = await world.rowsOf(key);
    expect(rows.map((row) => row.business_unit_id).sort()).toEqual([
      'operator',
      'unit_1',
      'unit_2',
    ]);
  });

  test('store a response without its secret, which a replay does not have', async () => {
    const key = newKey();
    const path = '/operator/thing.secret';
    const first = await world.command(key, { path });
    const second = await world.command(key, { path });
    expect([summary(first), summary(second)]).toEqual([
      [201, false],
      [201, true],
    ]);
    expect(first.body.secret).toBe('hunter2');
    expect(second.body).toEqual({ id: first.body.id, secret: null });
    expect([...world.things]).toEqual([first.body.id]);
    expect(JSON.stringify(await world.rowsOf(key))).not.toContain('hunter2');
  });

  test('are apart for each operator', async () => {
    const key = newKey();
    const first = await world.command(key, { operator: 'ada' });
    const other = await world.command(key, { operator: 'grace' });
    const repeated = await world.command(key, { operator: 'ada' });
    expect(other.body.id).not.toBe(first.body.id);
    expect(repeated.body).toEqual(first.body);
    expect([...world.things]).toEqual([first.body.id, other.body.id]);
  });
});
