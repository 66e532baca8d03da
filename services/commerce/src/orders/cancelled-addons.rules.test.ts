import { expect, test } from 'vitest';
import { type AddonChange, cancelledAddonsOf } from './cancelled-addons.rules.ts';

const line = (paid: number, refund: number) => ({ paid, refund, band: 0, reason: 'band' as const });

const change = (second: number, fields: Partial<AddonChange>): AddonChange => ({
  executedAt: `2027-01-01T01:00:0${second}+01:00`,
  units: [],
  lines: [],
  ...fields,
});

test('units of add-ons have the amounts of their lines, which follow those of seats', () => {
  const units = [
    { itemIndex: 1, quantity: 2 },
    { itemIndex: 2, quantity: 1, registrationId: 'reg_1' },
  ];
  const lines = [line(9000, 6700), line(600, 480), line(500, 0)];
  expect(cancelledAddonsOf([change(1, { units, lines })])).toEqual([
    {
      ...{
        itemIndex: 1,
        registrationId: null,
        quantity: 2,
        cancelledAt: '2027-01-01T00:00:01.000Z',
      },
      ...{ paidAmount: 600, refundAmount: 480, keptAmount: 120, band: 0, reason: 'band' },
    },
    {
      ...{ itemIndex: 2, registrationId: 'reg_1', quantity: 1 },
      cancelledAt: '2027-01-01T00:00:01.000Z',
      ...{ paidAmount: 500, refundAmount: 0, keptAmount: 500, band: 0, reason: 'band' },
    },
  ]);
});

test('units of several changes stay in their order, and a change without units has none', () => {
  const of = (itemIndex: number) => ({
    units: [{ itemIndex, quantity: 1 }],
    lines: [line(100, 100)],
  });
  const cancelled = cancelledAddonsOf([
    change(1, of(1)),
    change(2, { lines: [line(100, 50)] }),
    change(3, of(2)),
  ]);
  expect(cancelled.map(({ itemIndex }) => itemIndex)).toEqual([1, 2]);
});
