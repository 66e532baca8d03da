import { apiOperations } from '@event-api/contracts/http/operations';
import type { Operation } from '@event-api/contracts/operation';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OperatorRefusal } from '../scripts/operator-client.ts';
import { bodiesWithUnknownField, smallestBody } from './bodies.ts';
import { type GivenPlatform, sharedPlatform } from './given-platform.ts';
import { everythingOf, type GivenUnit, givenUnit } from './given-unit.ts';
import { bodyFor, makeRecords, pathOf, queryOf } from './records.ts';

let platform: GivenPlatform;
// Only rejected requests and reads touch the records of `kept`.
let kept: GivenUnit;
let used: GivenUnit;
let before: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  kept = await givenUnit(platform);
  used = await givenUnit(platform);
  before = await everythingOf(kept);
});

afterAll(() => {
  for (const unit of [kept, used]) unit?.ask.close();
});

const named = (operations: readonly Operation[]) =>
  operations.map((operation) => ({
    name: `${operation.config.operationId} of ${operation.config.owner}`,
    operation,
  }));

const issue = (field: string, code: string) =>
  expect.arrayContaining([expect.objectContaining({ field, code })]);

describe.each(named(apiOperations))('$name', ({ operation }) => {
  const { method, schema } = operation;

  test('rejects an unknown query parameter with 400 and the known ones', async () => {
    const query = `${queryOf(operation) || '?'}&unexpected=1`;
    const body = schema.body && JSON.stringify(bodyFor(operation, kept.records));
    const answer = await kept.ask({ method, path: pathOf(operation, kept.records) + query, body });
    expect(answer.status).toBe(400);
    const { details } = JSON.parse(answer.body).error;
    expect(details).toEqual(issue('unexpected', 'unknown_parameter'));
    for (const name of Object.keys((schema.querystring as { shape?: object })?.shape ?? {})) {
      expect(details[0].issue).toContain(`\`${name}\``);
    }
  });

  if (method === 'GET') return;

  test('rejects an unknown field at every level with 400 and its path', async () => {
    const smallest = schema.body && bodyFor(operation, kept.records);
    const bodies = bodiesWithUnknownField(operation, smallest);
    expect(bodies.length).toBeGreaterThan(0);
    const path = pathOf(operation, kept.records);
    for (const { field, json } of bodies) {
      const answer = await kept.ask({ method, path, body: json });
      expect([json, answer.status]).toEqual([json, 400]);
      expect(JSON.parse(answer.body).error.details).toEqual(issue(field, 'unknown_field'));
    }
  });

  test('accepts the record of its own response', async () => {
    const records = await makeRecords([operation], used.ask, used.operate);
    const path = pathOf(operation, records);
    const smallest = schema.body && bodyFor(operation, records);
    const first = await used.ask({ method, path, body: JSON.stringify(smallest) });
    expect(first.status).toBeLessThan(300);
    const record = recordIn(JSON.parse(first.body));
    const body = Array.isArray(smallest) ? record.items : { ...(smallest as object), ...record };
    const second = await used.ask({ method, path, body: JSON.stringify(body) });
    // A repeat may be a conflict or break a rule, but it is not malformed.
    expect([200, 201, 409, 412], second.body).toContain(second.status);
    if (method !== 'POST') expect(second.status).toBe(200);
  });
});

/** The record in a response, past what wraps it. */
function recordIn(response: Record<string, unknown>): Record<string, unknown> {
  const { registration, checkin, redemptionCodes } = response;
  const [code] = (redemptionCodes ?? []) as unknown[];
  return (registration ?? checkin ?? code ?? response) as Record<string, unknown>;
}

describe.each(named(operatorOperations))('$name', ({ operation }) => {
  test('rejects an unknown field at every level with 400 and its path', async () => {
    const bodies = bodiesWithUnknownField(operation, smallestBody(operation));
    expect(bodies.length).toBeGreaterThan(0);
    for (const { field, json } of bodies) {
      const { status, details } = await refusalOf(operation, JSON.parse(json));
      expect([json, status]).toEqual([json, 400]);
      expect(details).toEqual(issue(field, 'unknown_field'));
    }
  });
});

async function refusalOf(operation: Operation, input: unknown) {
  const error = await platform.operator.callUnchecked(operation, input).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(OperatorRefusal);
  const { status, envelope } = error as OperatorRefusal;
  return { status, details: (envelope as { error: { details: unknown } }).error.details };
}

test('a rejected request changes nothing', async () => {
  expect(await everythingOf(kept)).toBe(before);
});
