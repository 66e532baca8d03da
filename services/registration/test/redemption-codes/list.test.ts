import { newId } from '@event-api/platform/core/ids';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, scope, service, typeId, useRegistration } from '../context.ts';
import { changeEvent, createTestEvent, unique } from '../fixtures.ts';
import { errorSummary, register, succeeded } from '../projection-fixtures.ts';

let path: string;

useRegistration({ replicas: 2 });
beforeEach(() => {
  path = `/v1/events/${scope.eventId}/redemption-codes`;
});

const create = (fields: object = {}) =>
  call('POST', path, { body: { registrationTypeId: typeId, ...fields } });

const createCodes = async (fields: object = {}) =>
  succeeded(await create(fields), 201).redemptionCodes;

const listed = async (query = '') => succeeded(await call('GET', `${path}${query}`));

describe('the list', () => {
  test('returns the newest first, in pages that neither skip nor repeat', async () => {
    const batch = await createCodes({ count: 5 });
    const [last] = await createCodes({ code: unique('LAST') });
    const all = [last, ...batch.toReversed()];
    expect(await listed()).toEqual({ redemptionCodes: all, nextCursor: null });
    const seen = [];
    for (let query = '?limit=4', pages = 0; query && pages < 5; pages++) {
      const { redemptionCodes, nextCursor } = await listed(query);
      seen.push(...redemptionCodes);
      query = nextCursor && `?limit=4&cursor=${nextCursor}`;
    }
    expect(seen).toEqual(all);
  });

  test('returns the current uses', async () => {
    const [code] = await createCodes({ maxUses: 3 });
    const body = { registrationTypeId: typeId, redemptionCode: code.code };
    const [first] = [await register(call, scope, body), await register(call, scope, body)];
    expect((await listed()).redemptionCodes).toMatchObject([{ uses: 2 }]);
    await call('POST', `/v1/events/${scope.eventId}/registrations/${first.id}/cancel`);
    expect((await listed()).redemptionCodes).toMatchObject([{ uses: 1 }]);
  });

  test('rejects a cursor of another list', async () => {
    for (const cursor of ['x', 'bnVsbA', Buffer.from('["a"]').toString('base64url')]) {
      expect(errorSummary(await call('GET', `${path}?cursor=${cursor}`))).toEqual([400, 'cursor']);
    }
  });
});

describe('disabling', () => {
  const disable = (id: string) => call('POST', `${path}/${id}/disable`);

  test('is final, and a repeated call returns the same', async () => {
    const [code] = await createCodes();
    const disabled = succeeded(await disable(code.id));
    expect(disabled).toEqual({ ...code, status: 'disabled' });
    expect(succeeded(await disable(code.id))).toEqual(disabled);
  });

  test('responds with an identical 404 for an unknown code, one of another event and one of another unit', async () => {
    const [code] = await createCodes();
    const other = await createTestEvent(service.sql, { businessUnitId: scope.businessUnitId });
    const stranger = await service.as(newId('unit'));
    const responses = await Promise.all([
      disable(newId('code')),
      disable('nothing'),
      disable('%00'),
      call('POST', `/v1/events/${other.eventId}/redemption-codes/${code.id}/disable`),
      call('POST', `/v1/events/${newId('evt')}/redemption-codes/${code.id}/disable`),
      stranger('POST', `${path}/${code.id}/disable`),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(404));
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await listed()).redemptionCodes).toEqual([code]);
  });

  test('works in an archived event', async () => {
    const [code] = await createCodes();
    await changeEvent(service.sql, scope, 'archived');
    expect(succeeded(await disable(code.id)).status).toBe('disabled');
  });
});
