import type { Operation } from '@event-api/contracts/operation';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { allowedBodyFields } from '@event-api/platform/http/allowed-fields';
import { OperatorError } from '@event-api/tools/admin/operator-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodiesWithUnknownField, fieldNamesOf, smallestBody } from './bodies.ts';
import {
  type BusinessUnitFixture,
  createBusinessUnitFixture,
  everythingOf,
} from './fixtures/business-unit.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { bodyFor, createRecords, keyOperations, pathOf, queryOf } from './records.ts';

let platform: PlatformFixture;
// Only reads and rejected requests use the records of `primary`.
let primary: BusinessUnitFixture;
let used: BusinessUnitFixture;
let before: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  primary = await createBusinessUnitFixture(platform);
  used = await createBusinessUnitFixture(platform);
  before = await everythingOf(primary);
});

afterAll(() => {
  for (const unit of [primary, used]) unit?.request.close();
});

const named = (operations: readonly Operation[]) =>
  operations.map((operation) => ({
    name: `${operation.config.operationId} of ${operation.config.owner}`,
    operation,
  }));

const issue = (field: string, code: string) =>
  expect.arrayContaining([expect.objectContaining({ field, code })]);

describe.each(named(keyOperations))('$name', ({ operation }) => {
  const { method, schema } = operation;

  test('rejects an unknown query parameter with 400 and the allowed ones', async () => {
    const query = `${queryOf(operation) || '?'}&unexpected=1`;
    const body = schema.body && JSON.stringify(bodyFor(operation, primary.records));
    const response = await primary.request({
      method,
      path: pathOf(operation, primary.records) + query,
      body,
    });
    expect(response.status).toBe(400);
    const { details } = JSON.parse(response.body).error;
    expect(details).toEqual(issue('unexpected', 'unknown_parameter'));
    for (const name of fieldNamesOf(schema.querystring)) {
      expect(details[0].issue).toContain(`\`${name}\``);
    }
  });

  if (method === 'GET') return;

  test('rejects an unknown field at every level with 400 and its path', async () => {
    const smallest = schema.body && bodyFor(operation, primary.records);
    const bodies = bodiesWithUnknownField(operation, smallest);
    expect(bodies.length).toBeGreaterThan(0);
    const path = pathOf(operation, primary.records);
    for (const { field, json } of bodies) {
      const response = await primary.request({ method, path, body: json });
      expect([json, response.status]).toEqual([json, 400]);
      expect(JSON.parse(response.body).error.details).toEqual(issue(field, 'unknown_field'));
    }
  });

  const readOnly = readOnlyFieldsOf(operation);
  test.runIf(readOnly.length > 0)('names every field that it cannot set', async () => {
    const wrong = Object.fromEntries(readOnly.map((field) => [field, 'another value']));
    const smallest = schema.body && (bodyFor(operation, primary.records) as object);
    const response = await primary.request({
      method,
      path: pathOf(operation, primary.records),
      body: JSON.stringify({ ...smallest, ...wrong }),
    });
    expect(response.status, response.body).toBe(400);
    const { details } = JSON.parse(response.body).error;
    expect(details).toHaveLength(readOnly.length);
    for (const field of readOnly) expect(details).toEqual(issue(field, 'read_only_field'));
  });

  test('accepts its own response as a body, or names the fields that only the response has', async () => {
    const records = await createRecords([operation], used.request, used.operate);
    const path = pathOf(operation, records);
    const smallest = schema.body && bodyFor(operation, records);
    const first = await used.request({ method, path, body: JSON.stringify(smallest) });
    expect(first.status).toBeLessThan(300);
    const record = recordIn(JSON.parse(first.body));
    const body = Array.isArray(smallest) ? record.items : { ...(smallest as object), ...record };
    const second = await used.request({ method, path, body: JSON.stringify(body) });
    if (method !== 'POST') return expect(second.status, second.body).toBe(200);
    // Another record gets another id and another time, so a POST cannot have those of the first.
    if (second.status === 400) {
      const { details } = JSON.parse(second.body).error as { details: { code: string }[] };
      return expect(new Set(details.map(({ code }) => code))).toEqual(new Set(['read_only_field']));
    }
    // It may be a conflict or violate a rule, but its body is valid.
    expect([200, 201, 409, 412], second.body).toContain(second.status);
  });
});

/** The fields of the response that the body does not have and that do not change by themselves. */
function readOnlyFieldsOf(operation: Operation): string[] {
  const allowed = allowedBodyFields(operation);
  if (allowed?.kind !== 'object') return [];
  const { derived = [] } = operation.config;
  return [...allowed.fields.keys()].filter(
    (field) => !allowed.names.includes(field) && !derived.includes(field),
  );
}

/** Returns the record in a response, without its wrapper. */
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
      const { status, details } = await rejectionOf(operation, JSON.parse(json));
      expect([json, status]).toEqual([json, 400]);
      expect(details).toEqual(issue(field, 'unknown_field'));
    }
  });
});

async function rejectionOf(operation: Operation, input: unknown) {
  const error = await platform.operator.callUnchecked(operation, input).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(OperatorError);
  const { status, envelope } = error as OperatorError;
  return { status, details: (envelope as { error: { details: unknown } }).error.details };
}

test('a rejected request changes nothing', async () => {
  expect(await everythingOf(primary)).toBe(before);
});
