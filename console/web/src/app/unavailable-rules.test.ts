import { expect, test } from 'vitest';
import { ApiError } from '../api/error.ts';
import { lastErrorOf, partsAway } from './unavailable-rules.ts';

const errorOf = (code: number, operation: string): ApiError =>
  new ApiError({ code, status: '', message: '', operation });

const [late, missing] = [errorOf(504, 'order.find'), errorOf(404, 'order.find')];

test.each<[string, (Error | null)[], string]>([
  ['without an error', [null, null], ''],
  ['after another error', [missing, new Error('a defect')], ''],
  ['of a part that hangs', [null, late], 'Orders and money'],
  ['of a part once', [late, errorOf(503, 'v1/events/evt_1/orders')], 'Orders and money'],
  [
    'of two parts',
    [late, errorOf(502, 'key.list')],
    'Orders and money, API keys and business units',
  ],
  ['of the console itself', [late, errorOf(0, 'order.find')], 'unreachable'],
])('names the parts %s', (_, errors, names) => {
  expect(partsAway(errors)).toBe(names);
});

test.each([
  ['that has failed', 'error', late, missing, late],
  ['that is read for the first time', 'pending', null, null, null],
  ['that is read again after a failure', 'pending', null, late, late],
  ['that is read after a failure', 'success', null, late, null],
  ['that has older data and failed', 'error', late, null, late],
] as const)('knows the error of a query %s', (_, status, error, last, known) => {
  expect(lastErrorOf({ status, error }, last)).toBe(known);
});
