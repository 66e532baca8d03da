import { expect, test } from 'vitest';
import type { Registration } from '../../api/records.ts';
import { type BulkAction, planBulk } from './bulk.rules.ts';

const types = [
  { id: 'tt_free', priceAmount: 0 },
  { id: 'tt_priced', priceAmount: 2500 },
];

const person = (
  status: Registration['status'],
  registrationTypeId = 'tt_free',
  orderId: string | null = null,
) =>
  ({
    id: `reg_${status}_${registrationTypeId}`,
    status,
    registrationTypeId,
    orderId,
  }) as Registration;

const everybody = [
  person('pending'),
  person('pending', 'tt_priced'),
  person('confirmed', 'tt_priced', 'ord_1'),
  person('waitlisted'),
  person('rejected'),
  person('cancelled'),
];

test.each<[BulkAction, number, Partial<Record<Registration['status'], number>>]>([
  ['approve', 2, { confirmed: 1, waitlisted: 1, rejected: 1, cancelled: 1 }],
  ['reject', 2, { confirmed: 1, waitlisted: 1, rejected: 1, cancelled: 1 }],
  ['confirm', 1, { pending: 2, confirmed: 1, rejected: 1, cancelled: 1 }],
  ['cancel', 4, { rejected: 1, cancelled: 1 }],
  ['changeTicket', 4, { rejected: 1, cancelled: 1 }],
])('%s changes %i of the selected people, and the others stay', (action, affected, staying) => {
  const plan = planBulk(action, everybody, types);
  expect(plan.affected).toHaveLength(affected);
  expect(Object.fromEntries(plan.staying)).toEqual(staying);
});

test('an approval of a ticket with a price is an offer, and a cancellation leaves the order', () => {
  expect(planBulk('approve', everybody, types)).toMatchObject({ offers: 1, ordered: 0 });
  expect(planBulk('cancel', everybody, types)).toMatchObject({ offers: 0, ordered: 1 });
});

test('a change of ticket leaves those who have it', () => {
  const plan = planBulk('changeTicket', everybody, types, 'tt_priced');
  expect(plan).toMatchObject({ sameTicket: 2 });
  expect(plan.affected.map(({ status }) => status)).toEqual(['pending', 'waitlisted']);
});
