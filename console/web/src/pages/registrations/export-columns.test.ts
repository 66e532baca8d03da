import { expect, test } from 'vitest';
import type { Registration } from '../../api/records.ts';
import type { ReadCommand } from '../../components/list/csv-columns.ts';
import {
  checkedInColumn,
  columnsOf,
  countAnswers,
  orderColumns,
  purposeFiles,
} from './export-columns.ts';

/** Registrations of a page. Two of them share an order, and every tenth has none. */
const rows = Array.from(
  { length: 500 },
  (_, n) =>
    ({ id: `reg_${n}`, orderId: n % 10 === 0 ? null : `ord_${Math.floor(n / 2)}` }) as Registration,
);

const question = (id: string, label = id) => ({
  id,
  label,
  type: 'text' as const,
  required: false,
  options: null,
});
const questions = [question('diet', 'Diet'), question('vegan', 'name')];

/** Answers commands, and notes how many ids each of them names. */
function recorder() {
  const calls: [string, number][] = [];
  const read = async (operationId: string, input: Record<string, unknown>) => {
    const ids = (input.orderIds ?? input.registrationIds) as string[];
    calls.push([operationId, ids.length]);
    return {
      orders: ids.map((id) => ({ id, orderNumber: `ORD-${id}`, responses: { diet: id } })),
      checkins: ids
        .filter((id) => id.endsWith('7'))
        .map((registrationId) => ({ registrationId, checkedInAt: '2027-05-10T07:00:00.000Z' })),
    };
  };
  return { calls, read: read as ReadCommand };
}

test('the number of an order is read once for all rows of a part', async () => {
  const { calls, read } = recorder();
  const numberOf = await orderColumns('evt_1', []).readValues(rows, read);
  expect(calls).toEqual([
    ['order.find', 100],
    ['order.find', 100],
    ['order.find', 50],
  ]);
  expect(rows.slice(0, 4).map((row) => numberOf(row)[0])).toEqual([
    undefined,
    'ORD-ord_0',
    'ORD-ord_1',
    'ORD-ord_1',
  ]);
});

test('the check-ins of a page are read in parts', async () => {
  const { calls, read } = recorder();
  const timeOf = await checkedInColumn('evt_1', 'Europe/Berlin').readValues(rows, read);
  expect(calls).toEqual(Array.from({ length: 5 }, () => ['checkin.find', 100]));
  expect(rows.slice(6, 8).map(timeOf)).toEqual([[''], ['2027-05-10 09:00']]);
});

test('a page without rows or orders reads nothing', async () => {
  const { calls, read } = recorder();
  await orderColumns('evt_1', questions).readValues(rows.slice(0, 1), read);
  await checkedInColumn('evt_1', 'UTC').readValues([], read);
  expect(calls).toEqual([]);
});

test.each([
  [true, ['Email']],
  [false, []],
])(
  'the columns before the order number keep their names and order, with emails: %j',
  (hasEmails, emails) => {
    const columns = columnsOf({ ticketOf: () => 'Seat', hasEmails, zone: 'Europe/Berlin' });
    expect(columns.map(({ header }) => header)).toEqual([
      'ID',
      'Name',
      ...emails,
      'Ticket',
      'Status',
      'Order ID',
      'Badge code',
      'Registered (Europe/Berlin)',
    ]);
  },
);

test('the answers are those of the registration, or those of its order', async () => {
  const { calls, read } = recorder();
  const { headers, readValues } = orderColumns('evt_1', questions);
  expect(headers).toEqual(['Order', 'Diet', 'name']);
  const own = { ...rows[1], responses: { diet: ['nuts', 'milk'], vegan: true } } as Registration;
  const valuesOf = await readValues([own, ...rows.slice(0, 3)], read);
  expect(calls).toEqual([['order.find', 2]]);
  expect([own, ...rows.slice(0, 3)].map(valuesOf)).toEqual([
    ['ORD-ord_0', 'nuts, milk', 'Yes'],
    [undefined, '', ''],
    ['ORD-ord_0', 'ord_0', ''],
    ['ORD-ord_1', 'ord_1', ''],
  ]);
});

test('answers are counted by question, the most frequent first', () => {
  const lines = countAnswers(
    questions,
    ['name', 'ticket', 'Diet', 'name'],
    [
      ['Ada', 'Seat', 'vegan', 'yes'],
      ['Bob', 'Seat', 'none', ''],
      ['Eve', 'Seat', 'vegan', 'no'],
    ],
  );
  expect(lines).toEqual([
    ['Question', 'Answer', 'People'],
    ['Diet', 'vegan', 2],
    ['Diet', 'none', 1],
    ['name', 'No answer', 1],
    ['name', 'no', 1],
    ['name', 'yes', 1],
    [],
  ]);
});

test.each([
  [questions, ['Badges', 'Catering']],
  [[], ['Badges']],
])('the files for a purpose with %j are of those who are confirmed', (asked, labels) => {
  const files = purposeFiles({
    eventId: 'evt_1',
    publicId: 'demo',
    ticketOf: () => 'Seat',
    questions: asked,
    labels: { badges: 'Badges', catering: 'Catering' },
  });
  expect(files.map(({ label }) => label)).toEqual(labels);
  for (const { isIncluded } of files) {
    const included = (['confirmed', 'pending', 'cancelled'] as const).filter((status) =>
      isIncluded?.({ status } as Registration),
    );
    expect(included).toEqual(['confirmed']);
  }
});
