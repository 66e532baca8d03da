import { readFileSync, writeFileSync } from 'node:fs';
import { changeOwners } from '@event-api/contracts/topology';
import { httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { provokeFailures, type SharedFailures } from './examples/failures.ts';
import { runJourney } from './examples/journey.ts';
import { normalize } from './examples/normalize.ts';
import { type Exchange, record } from './examples/recording.ts';
import { provokeRejections } from './examples/rejections.ts';
import { type BusFixture, createBusFixture } from './fixtures/bus.ts';
import { findLeaks } from './fixtures/find-leaks.ts';

const file = new URL('../../contracts/examples.json', import.meta.url);
const start = new Date('2027-01-15T09:00:00Z');

let bus: BusFixture;
beforeAll(async () => {
  bus = await createBusFixture();
});
afterAll(() => bus?.stop());

/** Returns the exchanges by operation, and the error responses that operations share. */
function examplesOf(exchanges: readonly Exchange[], failures: SharedFailures) {
  const operations: Record<string, { request?: unknown; responses: Record<number, unknown> }> = {};
  for (const { operationId, status, request, response } of exchanges) {
    operations[operationId] ??= { responses: {} };
    const examples = operations[operationId];
    examples.responses[status] = response;
    if (status < 300 && request !== undefined) examples.request ??= request;
  }
  return { operations, ...failures };
}

test('the examples of the reference equal the responses of the platform', async () => {
  const key = await bus.newKey();
  const client = httpClient(bus.gatewayUrl, { authorization: `Bearer ${key.secret}` });
  const { call, exchanges } = record(client);
  const { operator } = bus;
  const ids = await runJourney({
    recorded: call,
    unrecorded: client,
    operator,
    businessUnitId: key.unitId,
  });
  await provokeRejections(call, ids);
  const failures = await provokeFailures(bus, key);
  const examples = examplesOf(normalize(exchanges, start), failures);
  const json = `${JSON.stringify(examples, null, 2)}\n`;
  if (process.env.UPDATE_EXAMPLES === '1') writeFileSync(file, json);
  expect(
    JSON.parse(readFileSync(file, 'utf8')),
    'contracts/examples.json is out of date. Record it again: UPDATE_EXAMPLES=1 npm test -- tests/e2e/examples',
  ).toEqual(JSON.parse(json));
}, 600_000);

test('no change of the run contains an email, a name or a code of its records', async () => {
  const { sql } = bus.database;
  const values = await sql<{ value: string }>(`
    select distinct value from (
      select unnest(array[email, name, checkin_code]) as value from registration.registration
      union all select unnest(array[email, name]) from registration.attendee
      union all select code from registration.redemption_code
      union all select checkin_code from registration.replaced_badge
      union all select unnest(array[email, name, order_number]) from commerce.customer_order
      union all select name from onsite.speaker
      union all select name from onsite.exhibitor
    ) v where value <> ''`);
  const changes = await sql<{ body: string }>(
    changeOwners
      .flatMap((owner) => [`${owner}.change_log`, `${owner}.change_inbox`])
      .map((table) => `select body from ${table}`)
      .join(' union all '),
  );
  const entries = await sql<{ entry: string }>('select entry from changes.feed_change');
  expect(values.length).toBeGreaterThan(15);
  // An id may contain a shorter value by chance.
  expect(values.filter(({ value }) => value.length < 6)).toEqual([]);
  expect(changes.length).toBeGreaterThan(30);
  expect(entries.length).toBeGreaterThan(30);
  const written = [...changes.map(({ body }) => body), ...entries.map(({ entry }) => entry)];
  const secrets = Object.fromEntries(values.map(({ value }) => [value, value]));
  const search = (text: string) => findLeaks(secrets, [{ where: 'the feed', text }]);
  expect(search(written.join('\n'))).toEqual([]);
  const [{ value = '' } = {}] = values;
  expect(search(`${written.join('\n')} "${value}"`)).not.toEqual([]);
});
