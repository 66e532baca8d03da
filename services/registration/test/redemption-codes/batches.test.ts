import { newId } from '@event-api/platform/core/ids';
import { writtenChanges } from '@event-api/platform/testing/changes';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, operator, scope, service, typeId, useRegistration } from '../context.ts';
import { changeEvent, createTestEvent, someEmail } from '../fixtures.ts';
import { errorSummary, register, succeeded } from '../projection-fixtures.ts';

let path: string;

useRegistration();
beforeEach(() => {
  path = `/v1/events/${scope.eventId}/redemption-codes`;
});

const create = async (fields: object = {}): Promise<{ id: string; code: string }[]> =>
  succeeded(await call('POST', path, { body: { registrationTypeId: typeId, ...fields } }), 201)
    .redemptionCodes;
const run = (name: string, body: object = {}) =>
  operator('POST', `/operator/code.${name}`, { body: { ...scope, ...body } });
const batches = async (body: object = {}) => succeeded(await run('listBatches', body));
const newest = async () => (await batches()).batches[0];

describe('the batches of an event', () => {
  test('are what one request has created with several codes, newest first, page by page', async () => {
    await create({ label: 'Alone' });
    await create({ count: 5, code: `OWN-${newId('code').slice(-8)}` });
    await create({ count: 3, label: 'Press', maxUses: 2 });
    const [used] = await create({ count: 2, label: 'Friends', maxUses: null });
    await register(call, scope, {
      email: someEmail(),
      registrationTypeId: typeId,
      redemptionCode: used?.code,
    });
    const all = await batches();
    expect(all).toEqual({
      batches: [
        {
          id: expect.stringMatching(/^batch_/),
          registrationTypeId: typeId,
          label: 'Friends',
          codes: 2,
          active: 2,
          uses: 1,
          maxUses: null,
          createdAt: expect.any(String),
        },
        expect.objectContaining({ label: 'Press', codes: 3, active: 3, uses: 0, maxUses: 2 }),
      ],
      nextCursor: null,
    });
    const first = await batches({ limit: 1 });
    const next = await batches({ limit: 1, cursor: first.nextCursor });
    expect([...first.batches, ...next.batches]).toEqual(all.batches);
    expect(next.nextCursor).toBeNull();
  });

  test('are not those of another event or business unit', async () => {
    await create({ count: 2 });
    const { id: batchId } = await newest();
    const other = await createTestEvent(service.sql, { businessUnitId: scope.businessUnitId });
    const stranger = await createTestEvent(service.sql);
    expect((await batches(other)).batches).toEqual([]);
    const foreign = { businessUnitId: stranger.businessUnitId };
    expect(errorSummary(await run('listBatches', foreign))).toEqual([404, 'eventId']);
    for (const name of ['listBatch', 'disableBatch']) {
      expect(errorSummary(await run(name, { ...other, batchId }))).toEqual([404, 'batchId']);
      expect(errorSummary(await run(name, { ...foreign, batchId }))).toEqual([404, 'eventId']);
      expect(errorSummary(await run(name, { batchId: newId('batch') }))).toEqual([404, 'batchId']);
    }
    expect((await newest()).active).toBe(2);
  });

  test('are one batch after a retry with the same key', async () => {
    const headers = { 'idempotency-key': newId('req') };
    const body = { registrationTypeId: typeId, count: 2 };
    const send = async () => succeeded(await call('POST', path, { body, headers }), 201);
    expect(await send()).toEqual(await send());
    expect((await batches()).batches).toHaveLength(1);
  });
});

describe('a batch', () => {
  test('lists exactly its codes, as the API returns them, page by page', async () => {
    const codes = await create({ count: 3 });
    const { id: batchId } = await newest();
    await create({ count: 2 });
    const list = async (more: object = {}) =>
      succeeded(await run('listBatch', { batchId, ...more }));
    expect(await list()).toEqual({ redemptionCodes: codes.toReversed(), nextCursor: null });
    const first = await list({ limit: 2 });
    const next = await list({ limit: 2, cursor: first.nextCursor });
    expect([...first.redemptionCodes, ...next.redemptionCodes]).toEqual(codes.toReversed());
  });

  test('is disabled as a whole, once, with a change for each code, and its uses stay', async () => {
    const codes = await create({ count: 3, maxUses: 2 });
    const { id: batchId } = await newest();
    const [used, alone] = codes;
    const body = { registrationTypeId: typeId, redemptionCode: used?.code };
    await register(call, scope, { email: someEmail(), ...body });
    succeeded(await call('POST', `${path}/${alone?.id}/disable`));
    const others = await create({ count: 2 });
    const disabled = succeeded(await run('disableBatch', { batchId }));
    expect(disabled).toMatchObject({ id: batchId, codes: 3, active: 0, uses: 1 });
    expect(succeeded(await run('disableBatch', { batchId }))).toEqual(disabled);
    const rejected = await call('POST', `/v1/events/${scope.eventId}/registrations`, {
      body: { email: someEmail(), ...body },
    });
    expect(rejected.status).toBeGreaterThanOrEqual(400);
    const ids = [...codes, ...others].map(({ id }) => id);
    const reported = (await writtenChanges(service, 'registration'))
      .filter(({ type }) => type === 'redemption_code.disabled')
      .map(({ object }) => object.id)
      .filter((id) => ids.includes(id));
    expect(reported.toSorted()).toEqual(codes.map(({ id }) => id).toSorted());
    const { redemptionCodes } = succeeded(await call('GET', `${path}?status=active`));
    expect(redemptionCodes).toHaveLength(others.length);
  });

  test('can be disabled in an archived event', async () => {
    await create({ count: 2 });
    const { id: batchId } = await newest();
    await changeEvent(service.sql, scope, 'archived');
    expect(succeeded(await run('disableBatch', { batchId })).active).toBe(0);
  });
});

describe('code.update', () => {
  const update = (redemptionCodeId: string, fields: object, of: object = {}) =>
    run('update', { ...of, redemptionCodeId, ...fields });
  const use = (redemptionCode: string) =>
    call('POST', `/v1/events/${scope.eventId}/registrations`, {
      body: { email: someEmail(), registrationTypeId: typeId, redemptionCode },
    });

  test('changes the fields that are sent, and null removes a limit', async () => {
    const [created] = await create({ label: 'Press', maxUses: 2 });
    const { id } = created ?? { id: '' };
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const changed = succeeded(await update(id, { label: 'Speakers', expiresAt }));
    expect(changed).toEqual({ ...created, label: 'Speakers', expiresAt });
    const unlimited = succeeded(await update(id, { maxUses: null, expiresAt: null, label: null }));
    expect(unlimited).toEqual({ ...created, label: null, maxUses: null });
    expect(succeeded(await call('GET', `${path}/${id}`))).toEqual(unlimited);
  });

  test('ends further uses with a lower limit, and allows them with a higher one', async () => {
    const [{ id, code } = { id: '', code: '' }] = await create({ maxUses: 5 });
    await use(code);
    await use(code);
    expect(succeeded(await update(id, { maxUses: 1 }))).toMatchObject({ maxUses: 1, uses: 2 });
    expect((await use(code)).status).toBe(412);
    await update(id, { maxUses: 3 });
    expect((await use(code)).status).toBe(201);
  });

  test('responds 400 for an expiry in the past and no use, and 404 for a code of another unit as for none', async () => {
    const [{ id } = { id: '' }] = await create();
    for (const fields of [{ expiresAt: '2020-01-01T00:00:00Z' }, { maxUses: 0 }]) {
      const { status, body } = await update(id, fields);
      expect([status, body.error.details[0].field]).toEqual([400, Object.keys(fields)[0]]);
    }
    const foreign = await update(id, { label: 'x' }, { businessUnitId: newId('unit') });
    expect(foreign.status).toBe(404);
    const [{ status }, { body }] = [foreign, await update(newId('code'), { label: 'x' })];
    expect([status, body.error.code]).toEqual([404, 404]);
  });
});
