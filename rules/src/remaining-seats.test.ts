import { describe, expect, test } from 'vitest';
import { availableSeats, remainingSeats, type SaleMoment, type Seats } from './remaining-seats.ts';

const seatsOf = (fields: Partial<Seats>): Seats => ({
  status: 'open',
  capacity: 5,
  priceAmount: 0,
  confirmed: 0,
  waitlisted: 0,
  offered: 0,
  reserved: 0,
  ...fields,
});

describe('available seats', () => {
  test.each([
    ['are those that are neither confirmed nor reserved', { confirmed: 2, reserved: 1 }, 2],
    ['are infinite without a capacity', { capacity: null, confirmed: 3 }, Infinity],
    ['are 0 when the capacity was lowered below the taken seats', { capacity: 1, confirmed: 3 }, 0],
  ])('%s', (_, fields, expected) => {
    expect(availableSeats(seatsOf(fields))).toBe(expected);
  });
});

describe('remaining seats', () => {
  const waiting = { waitlisted: 3 };

  test.each<[string, Partial<Seats>, Partial<SaleMoment>, number | null]>([
    ['are the available ones when no one waits', { confirmed: 1 }, {}, 4],
    ['are null for an unlimited type', { capacity: null, confirmed: 1 }, {}, null],
    ['are null for an unlimited type with a waitlist', { capacity: null, ...waiting }, {}, null],
    ['belong to the waitlist', waiting, {}, 0],
    ['belong to the waitlist in a draft event', waiting, { eventStatus: 'draft' }, 0],
    ['belong to the waitlist in a closed type', { ...waiting, status: 'closed' }, {}, 0],
    ['belong to the waitlist of a free type after its sale', waiting, { saleHasEnded: true }, 0],
    ['are not for a waitlist in which everyone has an offer', { ...waiting, offered: 3 }, {}, 5],
    ['are not for the waitlist of an archived type', { ...waiting, status: 'archived' }, {}, 5],
    ['are not for the waitlist in an archived event', waiting, { eventStatus: 'archived' }, 5],
    [
      'are not for the waitlist of a priced type after its sale',
      { ...waiting, priceAmount: 100 },
      { saleHasEnded: true },
      5,
    ],
  ])('%s', (_, fields, moment, expected) => {
    const at: SaleMoment = { eventStatus: 'published', saleHasEnded: false, ...moment };
    expect(remainingSeats(seatsOf(fields), at)).toBe(expected);
  });
});
