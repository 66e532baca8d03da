import { newId } from '@event-api/platform/core/ids';
import { httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCatalog, type TestCatalog } from './harness.ts';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog?.close());

test('the list contains only the events of a caller with events, and pages through them', async () => {
  const signer = await catalog.callers.signer('gateway');
  const businessUnitId = newId('unit');
  const clientWith = async (events: readonly string[] | null) => {
    const claims = { audience: 'api' as const, businessUnitId, defaultCurrency: 'EUR', events };
    return httpClient(catalog.apiUrl, { 'x-caller': await signer.sign(claims) });
  };
  const everything = await clientWith(null);
  const ids: string[] = [];
  for (const name of ['One', 'Two', 'Three']) {
    const { body } = await everything('POST', '/v1/events', { body: { name, timezone: 'UTC' } });
    ids.push(body.id);
  }
  const [one = '', , three = ''] = ids;
  const some = await clientWith([one, three, newId('evt')]);
  const first = await some('GET', '/v1/events?limit=1');
  const second = await some('GET', `/v1/events?limit=1&cursor=${first.body.nextCursor}`);
  const listed = [...first.body.events, ...second.body.events].map(({ id }) => id);
  expect(listed).toEqual([three, one]);
  expect(second.body.nextCursor).toBeNull();
  const changed = await some('GET', '/v1/events?updatedSince=2020-01-01T00:00:00Z');
  expect(changed.body.events.map(({ id }: { id: string }) => id)).toEqual([one, three]);
  expect((await (await clientWith([]))('GET', '/v1/events')).body.events).toEqual([]);
});
