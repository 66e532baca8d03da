import { describe, expect, test } from 'vitest';
import {
  closedReasonOf,
  coveredSeats,
  decideClaimLink,
  decidePageUrl,
} from './claim-links.rules.ts';

const seat = (id: string, status: 'open' | 'assigned' | 'cancelled') => ({
  ...{ id, status, itemIndex: 0, ticketTypeId: 'tt_1', registrationId: null, amount: 0 },
});
const seats = [seat('seat_1', 'assigned'), seat('seat_2', 'open'), seat('seat_3', 'cancelled')];

const now = new Date('2027-05-01T18:00:00Z');
const cancelledAt = new Date('2027-04-01T00:00:00Z');
test.each([
  ['takes place', {}, null],
  ['ends later', { endsAt: new Date(now.getTime() + 1) }, null],
  ['ends now', { endsAt: now }, 'EVENT_ENDED'],
  ['is archived', { status: 'archived', endsAt: now }, 'EVENT_ARCHIVED'],
  ['is cancelled', { status: 'archived', endsAt: now, cancelledAt }, 'EVENT_CANCELLED'],
])('the seats of an event that %s are closed or not', (_, event, reason) => {
  const terms = { status: 'published', endsAt: null, cancelledAt: null, now };
  expect(closedReasonOf({ ...terms, ...event })).toBe(reason);
});

describe('a claim link', () => {
  test.each([
    ['an open seat', 'seat_2', { outcome: 'created' }],
    ['an assigned seat', 'seat_1', { outcome: 'seat_not_open', status: 'assigned' }],
    ['a cancelled seat', 'seat_3', { outcome: 'seat_not_open', status: 'cancelled' }],
    ['a seat of another order', 'seat_9', { outcome: 'seat_unknown' }],
    ['an order with an open seat', null, { outcome: 'created' }],
  ])('for %s', (_, seatId, decision) => {
    expect(decideClaimLink(seats, seatId)).toEqual(decision);
  });

  test('for an order without an open seat', () => {
    const none = seats.filter(({ status }) => status !== 'open');
    expect(decideClaimLink(none, null)).toEqual({ outcome: 'no_seat_open' });
  });

  test('covers its seat, or all that were sold without an attendee', () => {
    const sold = [{ email: 'ada@example.com' }, { email: '' }, { email: '' }];
    const covered = (seatId: string | null) =>
      coveredSeats(seats, sold, seatId).map(({ id }) => id);
    expect(covered(null)).toEqual(['seat_2', 'seat_3']);
    expect(covered('seat_2')).toEqual(['seat_2']);
    expect(covered('seat_1')).toEqual([]);
  });
});

describe('the page of a claim link', () => {
  const order = { orderNumber: 'ORD-1' };

  test.each([
    ['https://tickets.example.com/seats', 'https://tickets.example.com/seats'],
    ['https://tickets.example.com/{ORDER_NUMBER}', 'https://tickets.example.com/ORD-1'],
    ['http://localhost:3000/', 'http://localhost:3000/'],
  ])('%s is valid', (pageUrl, url) => {
    expect(decidePageUrl(pageUrl, order)).toEqual({ outcome: 'valid', url });
  });

  test.each([
    'http://tickets.example.com/seats',
    'javascript:alert(1)',
    'https://tickets.example.com/seats#',
    'https://tickets.example.com/#/seats',
  ])('%s is not', (pageUrl) => {
    expect(decidePageUrl(pageUrl, order)).toMatchObject({
      outcome: 'invalid',
      issue: { field: 'pageUrl', code: 'invalid_format' },
    });
  });
});
