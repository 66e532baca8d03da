import { expect, test } from 'vitest';
import type { Exhibitor } from '../../api/records.ts';
import {
  type BoothOrder,
  isWebAddress,
  sortBooths,
  sortCompanies,
  staffTicket,
  typedPerson,
} from './exhibitors.rules.ts';

const booth = (number: string, type: string, venueId: string | null) => ({
  id: `booth_${number}`,
  number,
  type,
  venueId,
});
const exhibitors = [
  { id: 'exh_1', name: 'Zuse', booths: [booth('A10', 'row', 'hall'), booth('A2', 'corner', null)] },
  { id: 'exh_2', name: 'Analytical', booths: [booth('b1', 'corner', 'hall')] },
] as Exhibitor[];

test.each<[BoothOrder, string[]]>([
  ['number', ['A2', 'A10', 'b1']],
  ['type', ['A2', 'b1', 'A10']],
  ['room', ['A2', 'A10', 'b1']],
  ['company', ['b1', 'A2', 'A10']],
])('sorts booths by %s', (order, numbers) => {
  const rows = sortBooths(exhibitors, new Map([['hall', 'Main hall']]), order);
  expect(rows.map(({ number }) => number)).toEqual(numbers);
});

test.each([
  ['https://example.com', true],
  ['HTTP://example.com', true],
  ['javascript:alert(1)', false],
])('%s is a link: %j', (address, expected) => {
  expect(isWebAddress(address)).toBe(expected);
});

const types = [
  { id: 'tt_1', status: 'open' },
  { id: 'tt_2', status: 'open' },
  { id: 'tt_3', status: 'closed' },
] as const;

test.each([
  ['that of a colleague', types, 'tt_2', 'tt_2'],
  ['none, if that of the colleague is not on sale', types, 'tt_3', null],
  ['none, if there are several and no colleague', types, null, null],
  ['the only one', types.slice(0, 1), null, 'tt_1'],
])('the ticket of new staff is %s', (_, of, colleague, ticket) => {
  expect(staffTicket(of, colleague)).toBe(ticket);
});

test.each([
  [' ada@example.com ', { email: 'ada@example.com', name: '' }],
  ['Ada', { email: '', name: 'Ada' }],
])('a search for %j begins the form with %j', (typed, person) => {
  expect(typedPerson(typed)).toEqual(person);
});

const companies = [
  { name: 'b', status: 'declined' },
  { name: 'Zeta', status: 'pending' },
  { name: 'alpha', status: 'pending' },
  { name: 'A', status: 'confirmed' },
] as const;

test.each([
  [undefined, ['alpha', 'Zeta', 'A', 'b']],
  ['pending', ['alpha', 'Zeta']],
  ['confirmed', ['A']],
])('companies of the status %s are in the order of decisions', (status, names) => {
  expect(sortCompanies(companies, status).map(({ name }) => name)).toEqual(names);
});
