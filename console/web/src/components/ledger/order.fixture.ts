import type { FoundOrder } from '../../api/records.ts';

/** A refund of a paid order, as tests need it. */
export const refund = (state: string, amount: number, at: string) => ({
  id: `rfd_${at}`,
  state,
  amount,
  createdAt: at,
  doneAt: state === 'done' ? at : null,
  cause: 'operator',
  reason: null,
  failure: null,
  registrationIds: [],
});

/** A paid order of €50.00 with these values. */
export const order = (values: object): FoundOrder =>
  ({
    id: 'ord_1',
    status: 'paid',
    totalAmount: 5000,
    refundDueAmount: 0,
    changesAmount: 0,
    disputedAmount: 0,
    disputes: [],
    paidAt: '2027-01-01T00:00:00Z',
    items: [],
    registrationIds: [],
    registrations: [],
    seats: [],
    refunds: [],
    refundPolicy: null,
    cancelledSeats: [],
    cancelledAddons: [],
    ...values,
  }) as unknown as FoundOrder;
