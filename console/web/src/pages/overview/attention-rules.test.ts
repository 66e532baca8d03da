import { expect, test } from 'vitest';
import { type AttentionItem, type AttentionReads, decideItems } from './attention-rules.ts';

const now = new Date('2027-05-10T12:00:00Z');
const type = (closesAt: string | null, status: 'open' | 'closed' = 'open') => ({
  ticketTypes: [{ name: 'Seat', status, closesAt }],
});
const endpoint = (disabledReason: 'requested' | 'gone' | null, failingSince: string | null) => ({
  webhookEndpoints: [{ disabledReason, failingSince }],
});
const waiting = (count: number, nextCursor: string | null) => ({
  pending: { registrations: Array(count).fill({}), nextCursor },
});
const ends: AttentionItem[] = [{ kind: 'endsToday', name: 'Seat' }];
const fails: AttentionItem[] = [{ kind: 'webhooksFailing', count: 1 }];

test.each<[string, AttentionReads, AttentionItem[]]>([
  ['nothing was read yet', {}, []],
  ['nothing is owed', { owed: [] }, []],
  ['money is on its way', { owed: [{ dueRefunds: 0, failedRefunds: 0 }] }, []],
  [
    'money is owed in two currencies',
    {
      owed: [
        { dueRefunds: 2, failedRefunds: 0 },
        { dueRefunds: 1, failedRefunds: 4 },
      ],
    },
    [
      { kind: 'refundsDue', count: 3 },
      { kind: 'refundsFailed', count: 4 },
    ],
  ],
  ['nobody waits for an approval', waiting(0, null), []],
  ['a person waits', waiting(1, null), [{ kind: 'pending', count: 1, hasMore: false }]],
  [
    'more people wait than one page',
    waiting(2, 'x'),
    [{ kind: 'pending', count: 2, hasMore: true }],
  ],
  ['no badge is contested', { checkins: { contested: 0 } }, []],
  ['a badge is contested', { checkins: { contested: 3 } }, [{ kind: 'contested', count: 3 }]],
  ['an endpoint works', endpoint(null, null), []],
  ['an endpoint fails', endpoint(null, '2027-05-10T11:00:00Z'), fails],
  ['the platform has disabled an endpoint', endpoint('gone', null), fails],
  ['a person has disabled an endpoint', endpoint('requested', null), []],
  ['a sale has no end', type(null), []],
  ['a sale ends now', type('2027-05-10T12:00:00Z'), ends],
  ['a sale ends in 24 hours', type('2027-05-11T12:00:00Z'), ends],
  ['a sale ends later', type('2027-05-11T12:00:01Z'), []],
  ['a sale has ended', type('2027-05-10T11:59:59Z'), []],
  ['a sale that ends in a minute is closed', type('2027-05-10T12:01:00Z', 'closed'), []],
  [
    'much has to be done',
    {
      ...waiting(1, null),
      ...endpoint(null, '2027-05-10T11:00:00Z'),
      ...type('2027-05-10T13:00:00Z'),
    },
    [{ kind: 'pending', count: 1, hasMore: false }, ...fails, ...ends],
  ],
])('the items when %s', (_, reads, items) => {
  expect(decideItems(reads, now)).toEqual(items);
});
