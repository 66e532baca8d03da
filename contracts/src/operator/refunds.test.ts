import { expect, test } from 'vitest';
import { refundOrder } from './refunds.ts';

const scope = { businessUnitId: 'unit_1', eventId: 'evt_1', orderId: 'ord_1' };

const issuesOf = (input: object) =>
  refundOrder.schema.body
    .safeParse({ ...scope, ...input })
    .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];

const registrationIds = ['reg_1'];

test.each([
  [{ amount: 5 }],
  [{ onlyDue: true }],
  [{ all: true }],
  [{ amount: 5, all: false }],
  [{ registrationIds }],
  [{ registrationIds, keepRegistrations: true }],
])('accepts %j', (input) => {
  expect(issuesOf(input)).toEqual([]);
});

test.each([
  [
    {},
    [
      'amount is required unless onlyDue or all or registrationIds is sent',
      'onlyDue is required unless amount or all or registrationIds is sent',
      'all is required unless amount or onlyDue or registrationIds is sent',
      'registrationIds is required unless amount or onlyDue or all is sent',
    ],
  ],
  [{ onlyDue: false, all: false }, expect.arrayContaining([expect.stringMatching(/^amount is/)])],
  [
    { amount: 5, all: true },
    ['amount cannot be combined with all', 'all cannot be combined with amount'],
  ],
  [
    { amount: 5, onlyDue: true },
    ['amount cannot be combined with onlyDue', 'onlyDue cannot be combined with amount'],
  ],
  [
    { all: true, registrationIds },
    ['all cannot be combined with registrationIds', 'registrationIds cannot be combined with all'],
  ],
  [{ all: true, keepRegistrations: true }, ['registrationIds is required with keepRegistrations']],
  [{ amount: 0 }, ['amount Too small: expected number to be >=1']],
  [{ amount: '5' }, ['amount Invalid input: expected number, received string']],
  [{ amount: 5, onlyDue: true, all: true }, expect.objectContaining({ length: 3 })],
])('rejects %j and names the fields', (input, expected) => {
  expect(issuesOf(input)).toEqual(expected);
});
