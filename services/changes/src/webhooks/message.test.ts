import { expect, test } from 'vitest';
import { headersOf } from './message.ts';

test('a webhook names its cell, and that of the default cell has no such header', () => {
  const sent = { id: 'chg_1', sentAt: new Date('2027-05-10T07:00:00Z'), cursor: 'MS54' };
  const unnamed = headersOf({ ...sent, cell: null });
  expect(Object.keys(unnamed)).not.toContain('webhook-cell');
  expect(headersOf({ ...sent, cell: 'eu2' })).toEqual({ ...unnamed, 'webhook-cell': 'eu2' });
});
