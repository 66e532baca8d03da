import { expect, test } from 'vitest';
import type { Registration } from '../../api/records.ts';
import type { ReadCommand } from '../../components/list/export-button.tsx';
import { checkedInColumn, columnsOf, orderNumberColumn } from './export-columns.ts';

/** Registrations of a page. Two of them share an order, and every tenth has none. */
const rows = Array.from(
  { length: 500 },
  (_, n) =>
    ({ id: `reg_${n}`, orderId: n % 10 === 0 ? null : `ord_${Math.floor(n / 2)}` }) as Registration,
);

/** Answers commands, and notes how many ids each of them names. */
function recorder() {
  const calls: [string, number][] = [];
  const read = async (operationId: string, input: Record<string, unknown>) => {
    const ids = (input.orderIds ?? input.registrationIds) as string[];
    calls.push([operationId, ids.length]);
    return {
      orders: ids.map((id) => ({ id, orderNumber: `ORD-${id}` })),
      checkins: ids
        .filter((id) => id.endsWith('7'))
        .map((registrationId) => ({ registrationId, checkedInAt: `at ${registrationId}` })),
    };
  };
  return { calls, read: read as ReadCommand };
}

test('the number of an order is read once for all rows of a part', async () => {
  const { calls, read } = recorder();
  const numberOf = await orderNumberColumn('evt_1').readValues(rows, read);
  expect(calls).toEqual([
    ['order.find', 100],
    ['order.find', 100],
    ['order.find', 50],
  ]);
  expect(rows.slice(0, 4).map(numberOf)).toEqual([null, 'ORD-ord_0', 'ORD-ord_1', 'ORD-ord_1']);
});

test('the check-ins of a page are read in parts', async () => {
  const { calls, read } = recorder();
  const timeOf = await checkedInColumn('evt_1').readValues(rows, read);
  expect(calls).toEqual(Array.from({ length: 5 }, () => ['checkin.find', 100]));
  expect(rows.slice(6, 8).map(timeOf)).toEqual([undefined, 'at reg_7']);
});

test('a page without rows or orders reads nothing', async () => {
  const { calls, read } = recorder();
  await orderNumberColumn('evt_1').readValues(rows.slice(0, 1), read);
  await checkedInColumn('evt_1').readValues([], read);
  expect(calls).toEqual([]);
});

test.each([
  [true, ['email']],
  [false, []],
])(
  'the columns before the order number keep their names and order, with emails: %j',
  (hasEmails, emails) => {
    const columns = columnsOf({ ticketOf: () => 'Seat', hasEmails });
    expect(columns.map(({ header }) => header)).toEqual([
      'id',
      'name',
      ...emails,
      'ticket',
      'status',
      'order',
      'badge',
      'registered_at',
    ]);
  },
);
