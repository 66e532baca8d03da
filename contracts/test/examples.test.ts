import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { ErrorCode } from '../src/errors.ts';
import { ErrorEnvelope } from '../src/http/envelope.ts';
import { apiOperations } from '../src/http/operations.ts';
import { errorCodesOf } from '../src/openapi/document.ts';
import { examples, sharedExample } from '../src/openapi/examples.ts';
import type { Json } from './document.ts';

const named = apiOperations.map((operation) => ({
  name: operation.config.operationId,
  operation,
}));

const examplesOf = (operationId: string) =>
  examples.operations[operationId] ?? { request: undefined, responses: {} };

/**
 * What the example of a success must show, by operation, beyond its schema: the state that the
 * operation leads to.
 */
const states: Record<string, Json> = {
  archiveEvent: { status: 'archived' },
  createEvent: { status: 'draft', publishedAt: null },
  updateEvent: { status: 'published', publishedAt: expect.any(String) },
  createTicketType: { status: 'draft', counts: { confirmed: 0, waitlisted: 0 } },
  updateTicketType: { status: 'open' },
  createAddon: { status: 'draft' },
  updateAddon: { status: 'open' },
  createRegistration: { created: true, registration: { status: 'confirmed', cancelledAt: null } },
  updateRegistration: { email: 'katherine@example.com', status: 'confirmed' },
  approveRegistration: { status: 'confirmed', rejectionReason: null },
  rejectRegistration: { status: 'rejected', rejectionReason: expect.any(String) },
  cancelRegistration: { status: 'cancelled', cancelledAt: expect.any(String) },
  disableRedemptionCode: { status: 'disabled' },
  createRedemptionCodes: { redemptionCodes: [{ status: 'active', uses: 0 }] },
  placeOrder: { status: 'held', paidAt: null, holdExpiresAt: expect.any(String) },
  confirmOrder: { status: 'awaiting_payment', paymentUrl: expect.any(String), paidAt: null },
  getOrder: { status: 'paid', paidAt: expect.any(String), cancelledAt: null },
  changeOrder: { status: 'quoted', quote: { lines: [{ amountToPay: 0 }] } },
  cancelOrder: { status: 'cancelled', cancelledAt: expect.any(String) },
  createCheckin: { alreadyCheckedIn: false },
  createCheckinBatch: {
    results: [{ result: 'already' }, { result: 'logged' }, { result: 'invalid' }],
  },
  undoCheckin: { undoneAt: expect.any(String) },
  listChanges: { changes: [{ type: 'event.created' }, { type: 'event.published' }] },
  getChangesHead: { sequence: 2 },
};

/** The same for the 200 of operations that also respond with 201. */
const repeats: Record<string, Json> = {
  createRegistration: { created: false },
  placeOrder: { alreadyRegistered: true },
  createCheckin: { alreadyCheckedIn: true },
};

describe.each(named)('the examples of $name', ({ operation, name }) => {
  const { schema, config } = operation;
  const { request, responses } = examplesOf(name);

  test('contain every success, in the form of its schema', () => {
    const successes = Object.entries(schema.response) as [string, z.ZodType][];
    for (const [status, success] of successes) {
      const example = responses[status];
      // The reference shows no example of a file.
      if (config.files) {
        expect(example).toBeNull();
        continue;
      }
      expect(success.safeParse(example).error, `${name} ${status}`).toBeUndefined();
      // An example with a field that the schema does not know is out of date.
      expect(success.parse(example)).toEqual(example);
    }
  });

  test('show the state that the operation leads to', () => {
    const first = responses[201] ?? responses[200];
    expect(first).toMatchObject(states[name] ?? {});
    if (responses[201]) expect(responses[200] ?? {}).toMatchObject(repeats[name] ?? {});
  });

  test('contain a request body that the operation accepts', () => {
    if (!schema.body || schema.body.safeParse(undefined).success) return;
    expect(schema.body.safeParse(request).error).toBeUndefined();
  });

  test('contain every error that the operation responds with, each in the envelope', () => {
    for (const code of errorCodesOf(operation)) {
      const example = responses[code] ?? sharedExample(operation.method, code);
      const { error } = ErrorEnvelope.parse(example);
      expect(error.code, `${name} ${code}`).toBe(code);
    }
    const allowed = new Set<number>([
      ...Object.keys(schema.response).map(Number),
      ...errorCodesOf(operation),
    ]);
    expect(Object.keys(responses).filter((status) => !allowed.has(Number(status)))).toEqual([]);
  });

  test('show a 412 with one of its reasons', () => {
    if (!config.preconditions) return;
    const { error } = ErrorEnvelope.parse(responses[412]);
    const [{ reason }] = error.details as [{ reason: string }];
    expect(config.preconditions).toContain(reason);
  });
});

test.each([
  ['GET', 'No response in time, please try again'],
  ['POST', 'No response in time; the request may have taken effect'],
] as const)('the 504 of a %s says "%s"', (method, message) => {
  expect(sharedExample(method, 504)).toMatchObject({ error: { code: 504, message } });
});

test('examples exist for operations of the API only', () => {
  const operationIds = named.map(({ name }) => name);
  expect(Object.keys(examples.operations).toSorted()).toEqual(operationIds.toSorted());
});

test('the shared examples are errors that not every operation records itself', () => {
  const codes = new Set<ErrorCode>(apiOperations.flatMap(errorCodesOf));
  expect(Object.keys(examples.shared).map(Number)).toEqual(expect.arrayContaining([401, 429, 503]));
  for (const code of Object.keys(examples.shared)) expect([...codes, 405]).toContain(Number(code));
});
