import { expect, test } from 'vitest';
import {
  canSendAgain,
  healthOf,
  hostOf,
  mayBeCut,
  readableJson,
  replayUpTo,
  responseBodyState,
  responseOf,
} from './webhooks.rules.ts';

const since = '2027-01-01T00:00:00.000Z';

test.each([
  [{ status: 'enabled', failingSince: null }, 'enabled'],
  [{ status: 'enabled', failingSince: since }, 'failing'],
  [{ status: 'disabled', failingSince: since }, 'disabled'],
  [{ status: 'pending', failingSince: null }, 'pending'],
] as const)('an endpoint %j is shown as %s', (endpoint, health) => {
  expect(healthOf(endpoint)).toBe(health);
});

test.each([
  ['https://shop.example/hooks?a=1', 'shop.example'],
  ['http://127.0.0.1:8080/', '127.0.0.1:8080'],
])('an endpoint with the address %s is named by its host', (url, host) => {
  expect(hostOf(url)).toBe(host);
});

test.each([
  [3, 8, { from: 3, to: 8 }],
  [8, 8, { from: 8, to: 8 }],
  [9, 8, { from: 9, to: 9 }],
])(
  'a replay from %i ends at the newest change %i, and never before it begins',
  (from, newest, input) => {
    expect(replayUpTo(from, newest)).toEqual(input);
  },
);

test.each([
  [4, 'enabled', true],
  [4, 'pending', true],
  [4, 'disabled', false],
  [null, 'enabled', false],
] as const)(
  'the change %j of an endpoint that is %s can be sent again: %j',
  (sequence, status, can) => {
    expect(canSendAgain({ sequence }, { status })).toBe(can);
  },
);

test.each([
  [{ responseStatus: 204, reason: null }, '204'],
  [{ responseStatus: 500, reason: 'status' }, '500 · The status is not 2xx'],
  [{ responseStatus: null, reason: 'timeout' }, 'No response · No response in time'],
  [{ responseStatus: null, reason: 'of_a_later_release' }, 'No response · of_a_later_release'],
] as const)('the response of %j is shown as %s', (delivery, expected) => {
  expect(responseOf(delivery)).toBe(expected);
});

test.each([
  [
    '{"id":"chg_1","current":{"status":"paid"}}',
    '{\n  "id": "chg_1",\n  "current": {\n    "status": "paid"\n  }\n}',
  ],
  ['{"id":', '{"id":'],
  ['', ''],
])('the body %j is shown as %j', (text, expected) => {
  expect(readableJson(text)).toBe(expected);
});

test.each([
  [{ responseBody: null }, 'no_response'],
  [{ responseBody: '' }, 'empty'],
  [{ responseBody: '<h1>' }, 'shown'],
] as const)('the body of the response of %j is %s', (delivery, state) => {
  expect(responseBodyState(delivery)).toBe(state);
});

test.each([
  ['short', false],
  ['a'.repeat(1020), false],
  ['a'.repeat(1024), true],
  // A character of four bytes did not fit.
  ['a'.repeat(1021), true],
  ['€'.repeat(341), true],
])('%#: a body may be cut if a longer character did not fit', (body, isCut) => {
  expect(mayBeCut(body)).toBe(isCut);
});
