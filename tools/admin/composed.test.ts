import { expect, test } from 'vitest';
import { personComposition, runComposed } from './composed.ts';
import type { OperatorClient } from './operator-client.ts';

/** Fails the test when it is called. */
const client: OperatorClient = {
  call: () => Promise.reject(new Error('no service is called')),
  callUnchecked: () => Promise.reject(new Error('no service is called')),
};

test.each([
  ['an unknown field', { businessUnitId: 'unit_1', mail: 'ada@example.com' }, 'mail unknown_field'],
  ['no person', { businessUnitId: 'unit_1' }, 'email required'],
  [
    'two ways to name the person',
    { businessUnitId: 'unit_1', email: 'ada@example.com', orderNumber: 'ORD-1' },
    'orderNumber invalid_value',
  ],
  ['a malformed email', { businessUnitId: 'unit_1', email: 'ada' }, 'email invalid_format'],
])('rejects an input with %s before any service is called', async (_what, input, issue) => {
  const failed = await runComposed(personComposition, client, input).catch(
    (error: unknown) => error,
  );
  const { code, details = [] } = failed as { code: number; details: Record<string, string>[] };
  expect(code).toBe(400);
  expect(details.map(({ field, code: word }) => `${field} ${word}`)).toEqual([issue]);
});
