import type { Operation } from '@event-api/contracts/operation';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { OperatorError } from '@event-api/tools/admin/operator-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { smallestBody } from './bodies.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { rawClient } from './raw-client.ts';

let platform: PlatformFixture;
/** The ids that exist. All others are the examples of the reference. */
let existing: Record<string, string>;

beforeAll(async () => {
  platform = await sharedPlatform();
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 1_000_000 });
  const request = rawClient(platform.baseUrl, secret);
  const event = JSON.stringify({ name: 'Summit', timezone: 'UTC' });
  const { body } = await request({ method: 'POST', path: '/v1/events', body: event });
  request.close();
  existing = { businessUnitId: unitId, eventId: JSON.parse(body).id };
});

const idsOf = (body: object): string[] =>
  Object.keys(body).filter((field) => field === 'id' || field.endsWith('Id'));

const commands = operatorOperations
  .map((operation) => ({
    name: `${operation.config.operationId} of ${operation.config.owner}`,
    operation: operation as Operation,
    body: smallestBody(operation) as Record<string, unknown>,
  }))
  .filter(({ body }) => idsOf(body).length > 0);

/** Runs a command. Returns its error, or null if it succeeds. */
async function errorOf(operation: Operation, input: object) {
  const thrown = await platform.operator.callUnchecked(operation, input).then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown === null) return null;
  expect(thrown).toBeInstanceOf(OperatorError);
  const { status, envelope } = thrown as OperatorError;
  return { status, details: (envelope as { error: { details?: unknown } }).error.details };
}

describe.each(commands)('the 404 of $name', ({ operation, body }) => {
  test.each([
    ['the business unit', []],
    ['the event', ['businessUnitId']],
    ['a record of the event', ['businessUnitId', 'eventId']],
  ])('names the field of the id when %s does not exist', async (_what, known) => {
    const ids = Object.fromEntries(known.map((field) => [field, existing[field]]));
    const used = Object.fromEntries(Object.entries(ids).filter(([field]) => field in body));
    const error = await errorOf(operation, { ...body, ...used });
    if (error?.status !== 404) return;
    expect(error.details).toEqual([
      { field: expect.any(String), issue: expect.any(String), code: 'not_found' },
    ]);
    const [{ field }] = error.details as [{ field: string }];
    expect(idsOf(body)).toContain(field);
    expect(known).not.toContain(field);
  });
});

test('there are commands with ids', () => {
  expect(commands.length).toBeGreaterThan(30);
});
