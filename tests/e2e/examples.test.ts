import { readFileSync, writeFileSync } from 'node:fs';
import { httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { provokeFailures, type SharedFailures } from './examples/failures.ts';
import { runJourney } from './examples/journey.ts';
import { normalize } from './examples/normalize.ts';
import { type Exchange, record } from './examples/recording.ts';
import { provokeRejections } from './examples/rejections.ts';
import { type BusFixture, createBusFixture } from './fixtures/bus.ts';

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
