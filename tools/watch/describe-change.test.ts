import type { Change } from '@event-api/contracts/http/changes';
import { expect, test } from 'vitest';
import { describeChange } from './describe-change.ts';

const change: Change = {
  id: 'chg_1',
  sequence: 42,
  type: 'order.paid',
  occurredAt: '2027-05-10T07:00:00.000Z',
  eventId: 'evt_1',
  object: { type: 'order', id: 'ord_1', version: 1 },
  previous: { status: 'held' },
  current: { status: 'paid' },
  actor: { type: 'key', id: 'key_1' },
};

test.each([
  ['a move', {}, '    42  2027-05-10T07:00:00.000Z  order.paid  ord_1  held → paid  by key key_1'],
  [
    'an update',
    { previous: { status: 'paid' }, type: 'order.updated' },
    '    42  2027-05-10T07:00:00.000Z  order.updated  ord_1  paid  by key key_1',
  ],
  [
    'a new record without a status, by the command line',
    {
      previous: null,
      current: { status: null },
      type: 'venue.created',
      actor: { type: 'cli', id: null },
    },
    '    42  2027-05-10T07:00:00.000Z  venue.created  ord_1  by cli',
  ],
] as const)('%s is one line', (_, fields, line) => {
  expect(describeChange({ ...change, ...fields })).toBe(line);
});
