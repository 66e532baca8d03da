import { describe, expect, test } from 'vitest';
import { order } from '../../components/ledger/order.fixture.ts';
import {
  assignmentsOf,
  openItemsOf,
  openSeatsOf,
  type PlannedLine,
  planLines,
} from './open-seats.rules.ts';

const seat = (n: number, status: string, itemIndex = 0) => ({
  ...{ id: `seat_${n}`, status, itemIndex, itemName: itemIndex === 0 ? 'Seat' : 'VIP' },
});
const sold = order({
  seats: [seat(1, 'assigned'), seat(2, 'open'), seat(3, 'cancelled'), seat(4, 'open', 1)],
});
const open = openSeatsOf(sold);

test('the open seats of an order keep their place in it, and are counted by item', () => {
  expect(open.map(({ id, place }) => [id, place])).toEqual([
    ['seat_2', 2],
    ['seat_4', 4],
  ]);
  expect(openItemsOf(open)).toEqual([
    { itemIndex: 0, name: 'Seat', count: 1 },
    { itemIndex: 1, name: 'VIP', count: 1 },
  ]);
});

const shown = (line: PlannedLine) =>
  line.outcome === 'assign'
    ? `${line.line}: ${line.email} ${line.name} ${line.seat.id}`
    : `${line.line}: ${line.outcome}`;

describe('a pasted list', () => {
  test.each([
    ['nothing', ' \n\n', []],
    ['an email', 'ada@example.com', ['1: ada@example.com null seat_2']],
    [
      'an email and a name, after an empty line',
      '\n ada@example.com, Ada Lovelace \n',
      ['2: ada@example.com Ada Lovelace seat_2'],
    ],
    [
      'a copied table with the name first',
      'Ada Lovelace\tada@example.com\r\nBob\tbob@example.com\r\n',
      ['1: ada@example.com Ada Lovelace seat_2', '2: bob@example.com Bob seat_4'],
    ],
    [
      'a file whose fields are divided by semicolons',
      '"Lovelace";"Ada";"ada@example.com"',
      ['1: ada@example.com Lovelace Ada seat_2'],
    ],
    [
      'a name in quotes, with a comma and quotes of its own',
      '"O\'Brien, Pat",pat@example.com\nbob@example.com;"Bob ""B."" Ray" ',
      ["1: pat@example.com O'Brien, Pat seat_2", '2: bob@example.com Bob "B." Ray seat_4'],
    ],
    [
      'a quote inside of a name, and a quote without an end',
      'Ada "A" Lovelace,ada@example.com\n"Bob,bob@example.com',
      ['1: ada@example.com Ada "A" Lovelace seat_2', '2: bob@example.com "Bob seat_4'],
    ],
    [
      'a heading, behind an empty line',
      '\nName,Email\nAda,ada@example.com',
      ['2: header', '3: ada@example.com Ada seat_2'],
    ],
    ['a line without an email', 'Ada Lovelace', ['1: no_email']],
    ['only lines without an email', 'Ada Lovelace\nBob', ['1: no_email', '2: no_email']],
    ['what is no email', 'ada@-example, Ada', ['1: bad_email']],
    ['an email that the platform refuses', 'jürgen@exämple.de', ['1: bad_email']],
    ['an international domain', 'ada@exämple.de', ['1: ada@exämple.de null seat_2']],
    [
      'the same email again, in another case',
      'ada@example.com\nbob@example.com\nADA@example.com',
      ['1: ada@example.com null seat_2', '2: bob@example.com null seat_4', '3: repeated'],
    ],
    [
      'a bad line, which takes no seat, and more people than seats',
      'a@example.com\nnobody\nb@example.com\nc@example.com',
      ['1: a@example.com null seat_2', '2: no_email', '3: b@example.com null seat_4', '4: no_seat'],
    ],
  ])('with %s is read', (_, list, expected) => {
    expect(planLines(list, open).map(shown)).toEqual(expected);
  });

  test('is assigned only if every line is good', () => {
    expect(assignmentsOf(planLines('', open))).toBeNull();
    expect(assignmentsOf(planLines('a@example.com\nnobody', open))).toBeNull();
    expect(assignmentsOf(planLines('a@example.com', open))).toHaveLength(1);
    expect(assignmentsOf(planLines('Email\na@example.com', open))).toHaveLength(1);
  });
});
