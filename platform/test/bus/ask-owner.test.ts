import type { Snapshot } from '@event-api/contracts/messages/snapshot';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AskOwner, createAskOwner } from '../../src/projections/ask-owner.ts';
import { createSnapshotOwner, type SnapshotOwner } from '../../src/projections/owner.ts';
import { runInScope } from '../../src/read-after/scope.ts';
import { eventually } from '../../src/testing/eventually.ts';
import { httpClient } from '../../src/testing/http.ts';
import { thingCopy } from './things.ts';
import { createWorld, type Owner, type World } from './world.ts';

let world: World;
let owner: Owner;
let real: SnapshotOwner;
beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  const signer = await world.callers.signer('registration');
  real = createSnapshotOwner({ url: owner.url, signer });
});
afterAll(() => world?.close());

const record = (id: string) => ({ type: 'catalog.thing', businessUnitId: 'unit', id });
const asker = (own: Partial<SnapshotOwner> = {}): AskOwner =>
  createAskOwner({ db: owner.db, copies: [thingCopy], owners: { catalog: { ...real, ...own } } });
const copyOf = async (id: string) =>
  (await world.sql('select size from registration.thing_copy where id = $1', [id]))[0];

describe('asking the owner', () => {
  it('stores what it has, by version: nothing older and nothing that is there already', async () => {
    await owner.put('asked', { size: 5 });
    expect(await asker().refresh([record('asked')])).toBe(true);
    expect(await copyOf('asked')).toEqual({ size: 5 });
    expect(await asker().refresh([record('asked')])).toBe(false);
    await world.sql(
      "update registration.thing_copy set version = version + 1, size = 6 where id = 'asked'",
    );
    expect(await asker().refresh([record('asked')])).toBe(false);
    expect(await copyOf('asked')).toEqual({ size: 6 });
  });

  it('makes no difference between a record that is foreign and one that is not', async () => {
    await owner.put('somebodys');
    const foreign = { ...record('somebodys'), businessUnitId: 'another unit' };
    expect(await asker().refresh([foreign, record('nothing')])).toBe(false);
    expect(await copyOf('somebodys')).toBeUndefined();
  });

  it('has one question per record under way; who comes later shares the next one', async () => {
    await owner.put('popular', { size: 1 });
    const read = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    let questions = 0;
    const ask = asker({
      async read(...asked): Promise<Snapshot | null> {
        questions += 1;
        const answer = await real.read(...asked);
        // Its answer is already old when the others come.
        read.resolve();
        if (questions === 1) await first.promise;
        return answer;
      },
    });
    const early = ask.refresh([record('popular')]);
    await read.promise;
    await owner.put('popular', { size: 2 });
    const late = Array.from({ length: 50 }, () => ask.refresh([record('popular')]));
    first.resolve();
    await early;
    expect(await Promise.all(late)).toEqual(Array(50).fill(true));
    expect(await copyOf('popular')).toEqual({ size: 2 });
    expect(questions).toBe(2);
    await ask.refresh([record('popular')]);
    expect(questions).toBe(3);
  });

  it('is 503 after a second when the owner hangs, and 503 when it is away', async () => {
    const hanging = asker({ read: () => new Promise(() => {}) });
    // Two that wait one after the other take two seconds each time, however idle the machine is.
    await eventually(async () => {
      const begun = performance.now();
      const both = [hanging.refresh([record('x')]), hanging.refresh([record('x')])];
      const codes = both.map((one) => one.catch(({ code }) => code));
      expect(await Promise.all(codes)).toEqual([503, 503]);
      expect(performance.now() - begun).toBeLessThan(1900);
    });
    const signer = await world.callers.signer('registration');
    const away = createSnapshotOwner({ url: 'http://127.0.0.1:9', signer });
    await expect(asker(away).refresh([record('x')])).rejects.toMatchObject({ code: 503 });
  });

  it('carries what the request knows of, and the owner does not wait for it', async () => {
    const seen: unknown[] = [];
    owner.http.server.on('request', ({ headers }) => seen.push(headers['x-read-after']));
    const asked = { incarnation: '2999-01-01T00:00:00Z', positions: { registration: 7 } };
    await runInScope({ asked, written: null }, () => asker().refresh([record('asked')]));
    expect(seen).toEqual(['2999-01-01T00:00:00Z;registration=7']);
    // An owner that waits uses up its whole budget each time.
    await eventually(async () => {
      const begun = performance.now();
      await runInScope({ asked, written: null }, () => asker().refresh([record('asked')]));
      expect(performance.now() - begun).toBeLessThan(900);
    });
  });
});

describe('a record that is required', () => {
  it('is asked for when there is no copy of it, and the next time not even looked for', async () => {
    await owner.put('required');
    let questions = 0;
    const ask = asker({
      async read(...asked) {
        questions += 1;
        return real.read(...asked);
      },
    });
    await ask.require(record('required'));
    expect(await copyOf('required')).toBeDefined();
    await world.sql("delete from registration.thing_copy where id = 'required'");
    await ask.require(record('required'));
    expect(questions).toBe(1);
    await asker().require(record('required'));
    expect(await copyOf('required')).toBeDefined();
  });

  it('is one 404 when it is foreign or nonexistent, also once its owner has seen it', async () => {
    await owner.put('theirs');
    const ask = asker();
    await ask.require(record('theirs'));
    const foreign = { ...record('theirs'), businessUnitId: 'another unit' };
    const answers = await Promise.allSettled([ask.require(foreign), ask.require(record('none'))]);
    const notThere = { status: 'rejected', reason: { code: 404, message: 'Not found' } };
    expect(answers).toMatchObject([notThere, notThere]);
  });

  it('is a 503 when its owner does not answer', async () => {
    const ask = asker({ read: () => new Promise(() => {}) });
    await expect(ask.require(record('waited for'))).rejects.toMatchObject({ code: 503 });
  });
});

describe("the owner's snapshots", () => {
  let clientOf: (
    issuer: string,
    audience: 'api' | 'service',
  ) => Promise<ReturnType<typeof httpClient>>;
  beforeEach(() => {
    clientOf = async (issuer, audience) => {
      const signer = await world.callers.signer(issuer);
      const token = await signer.sign({ audience, businessUnitId: 'unit' });
      return httpClient(owner.url, { 'x-caller': token });
    };
  });

  it.each(['/internal/snapshots/catalog.thing', '/internal/snapshots/catalog.thing/unit/asked'])(
    'are for services only: %s',
    async (path) => {
      const service = await clientOf('registration', 'service');
      expect((await service('GET', path)).status).toBe(200);
      const integrator = await clientOf('gateway', 'api');
      expect((await integrator('GET', path)).status).toBe(401);
      expect((await httpClient(owner.url)('GET', path)).status).toBe(401);
    },
  );

  it('are of types that it has', async () => {
    const service = await clientOf('registration', 'service');
    expect((await service('GET', '/internal/snapshots/catalog.elephant')).status).toBe(404);
    expect((await service('GET', '/internal/snapshots/catalog.thing/unit/no')).status).toBe(404);
  });
});
