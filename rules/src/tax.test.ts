import type { AppliedTaxRate } from '@event-api/contracts/http/tax-rates';
import { describe, expect, test } from 'vitest';
import { splitRefund, sumTaxed, taxLine, taxOfRefund, taxPrice } from './tax.ts';

const rate = (percentage: number, mode: AppliedTaxRate['mode']): AppliedTaxRate => ({
  id: `${mode}_${percentage}`,
  name: 'Tax',
  percentage,
  mode,
});
const inclusive = (percentage: number) => rate(percentage, 'inclusive');
const exclusive = (percentage: number) => rate(percentage, 'exclusive');
const charged = { isReverseCharge: false };
const reversed = { isReverseCharge: true };
const none = { amount: 0, taxAmount: 0 };

const amountsOf = ({ netAmount, taxAmount, grossAmount }: ReturnType<typeof taxPrice>) => [
  netAmount,
  taxAmount,
  grossAmount,
];

describe('the tax of a price', () => {
  test.each([
    // Currencies without a minor unit: yen.
    [1000, inclusive(1000), [909, 91, 1000]],
    [1, inclusive(1000), [1, 0, 1]],
    [1000, exclusive(1000), [1000, 100, 1100]],
    [5, exclusive(1000), [5, 1, 6]],
    [4, exclusive(1000), [4, 0, 4]],
    // Two digits: euro.
    [11_900, inclusive(1900), [10_000, 1900, 11_900]],
    [10_000, exclusive(1900), [10_000, 1900, 11_900]],
    [1500, inclusive(1900), [1261, 239, 1500]],
    [999, inclusive(700), [934, 65, 999]],
    [1050, exclusive(550), [1050, 58, 1108]],
    [1000, exclusive(825), [1000, 83, 1083]],
    // Three digits: dinar of Bahrain.
    [12_345, inclusive(1000), [11_223, 1122, 12_345]],
    [12_345, exclusive(1000), [12_345, 1235, 13_580]],
    // Bounds.
    [0, inclusive(1900), [0, 0, 0]],
    [0, exclusive(1900), [0, 0, 0]],
    [100, inclusive(0), [100, 0, 100]],
    [100, exclusive(0), [100, 0, 100]],
    [100, inclusive(10_000), [50, 50, 100]],
    [100, exclusive(10_000), [100, 100, 200]],
    [10_000_000_000, exclusive(9999), [10_000_000_000, 9_999_000_000, 19_999_000_000]],
  ])('of %i with %j is rounded half up: net, tax and gross are %j', (price, applied, expected) => {
    expect(amountsOf(taxPrice(price, applied, charged))).toEqual(expected);
  });

  test('without a rate is 0', () => {
    expect(amountsOf(taxPrice(999, null, charged))).toEqual([999, 0, 999]);
  });

  test('moves to the customer by reverse charge: only the net amount is charged', () => {
    expect(amountsOf(taxPrice(11_900, inclusive(1900), reversed))).toEqual([10_000, 0, 10_000]);
    expect(amountsOf(taxPrice(10_000, exclusive(1900), reversed))).toEqual([10_000, 0, 10_000]);
  });
});

describe('rounding that other shops have got wrong', () => {
  test('a discount of 30 % on 299.98 charges one amount everywhere', () => {
    const price = 29_998 - Math.floor((29_998 * 30 + 50) / 100);
    const line = taxLine(price, [{ listAmount: 29_998, rate: inclusive(1900) }], charged);
    expect(price).toBe(20_999);
    expect(line.grossAmount).toBe(20_999);
    expect(line.netAmount + line.taxAmount).toBe(20_999);
  });

  test('two tickets of 25.00 with 10 % in their price cost 50.00', () => {
    const line = taxLine(5000, [{ listAmount: 5000, rate: inclusive(1000) }], charged);
    expect(amountsOf({ ...line, rate: null })).toEqual([4545, 455, 5000]);
  });

  test('five tickets of 64.00 with 19 % in their price cost 320.00', () => {
    const line = taxLine(32_000, [{ listAmount: 32_000, rate: inclusive(1900) }], charged);
    expect(amountsOf({ ...line, rate: null })).toEqual([26_891, 5109, 32_000]);
  });

  test('15.00 with 19 % in its price stays 15.00', () => {
    expect(taxPrice(1500, inclusive(1900), charged).grossAmount).toBe(1500);
  });

  test('three tickets of 0.33 with 8.25 % on top are taxed once, not three times', () => {
    expect(amountsOf(taxPrice(99, exclusive(825), charged))).toEqual([99, 8, 107]);
  });
});

describe('the line of a bundle', () => {
  test('is split in proportion to the list prices of its parts, each with its rate', () => {
    const line = taxLine(
      9000,
      [
        { listAmount: 8000, rate: inclusive(700) },
        { listAmount: 2000, rate: inclusive(1900) },
      ],
      charged,
    );
    expect(line.parts.map((part) => part.grossAmount)).toEqual([7200, 1800]);
    expect(line.parts.map((part) => part.taxAmount)).toEqual([471, 287]);
    expect(line).toMatchObject({ netAmount: 8242, taxAmount: 758, grossAmount: 9000 });
  });

  test('taxes parts of one rate together, and parts without one not at all', () => {
    const line = taxLine(
      10,
      [
        { listAmount: 5, rate: exclusive(1000) },
        { listAmount: 5, rate: exclusive(1000) },
        { listAmount: 10, rate: null },
      ],
      charged,
    );
    expect(line.parts.map(amountsOf)).toEqual([
      [5, 1, 6],
      [5, 0, 5],
    ]);
  });

  test('with a price for free parts is split evenly', () => {
    const free = [inclusive(700), inclusive(1900)].map((applied) => ({
      listAmount: 0,
      rate: applied,
    }));
    expect(taxLine(101, free, charged).parts.map((part) => part.grossAmount)).toEqual([51, 50]);
  });

  test('without parts is not taxed', () => {
    expect(taxLine(100, [], charged)).toMatchObject({ netAmount: 100, taxAmount: 0 });
  });
});

describe('the tax share of a refund', () => {
  test.each([
    [11_900, 1900, 11_900, 1900],
    [11_900, 1900, 5950, 950],
    [11_900, 1900, 1, 0],
    [11_900, 1900, 4, 1],
    [3, 1, 1, 0],
    [3, 1, 2, 1],
    [0, 0, 0, 0],
  ])('of %i with a tax of %i: a refund of %i carries %i', (grossAmount, taxAmount, amount, tax) => {
    expect(taxOfRefund({ grossAmount, taxAmount }, none, amount)).toBe(tax);
  });

  test('never becomes negative when an earlier refund has carried more', () => {
    expect(taxOfRefund({ grossAmount: 100, taxAmount: 10 }, { amount: 10, taxAmount: 9 }, 10)).toBe(
      0,
    );
  });

  test('gives each line of a full refund its own tax', () => {
    const lines = [
      taxPrice(999, inclusive(700), charged),
      taxPrice(1, inclusive(1900), charged),
      taxPrice(4999, exclusive(1900), charged),
    ];
    const { grossAmount } = sumTaxed(lines);
    expect(splitRefund(grossAmount, lines)).toEqual(
      lines.map((line) => ({ amount: line.grossAmount, taxAmount: line.taxAmount })),
    );
  });
});

/** Repeatable numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

test('10,000 random lines: net + tax = gross, lines = order, refunds of all = all tax', () => {
  const random = randomNumbers(1);
  const upTo = (max: number) => Math.floor(random() * (max + 1));
  let count = 0;
  while (count < 10_000) {
    const treatment = { isReverseCharge: upTo(9) === 0 };
    const lines = Array.from({ length: 1 + upTo(4) }, () => {
      const parts = Array.from({ length: 1 + upTo(3) }, () => ({
        listAmount: upTo(10 ** upTo(8)),
        rate: upTo(4) === 0 ? null : rate(upTo(10_000), upTo(1) ? 'inclusive' : 'exclusive'),
      }));
      return taxLine(upTo(10 ** upTo(8)), parts, treatment);
    });
    count += lines.length;
    const order = sumTaxed(lines);
    for (const line of [...lines, order]) {
      expect(line.netAmount + line.taxAmount).toBe(line.grossAmount);
      expect(Math.min(line.netAmount, line.taxAmount)).toBeGreaterThanOrEqual(0);
    }
    for (const line of lines) expect(sumTaxed(line.parts)).toMatchObject(amountsOnly(line));
    expect(lines.reduce((sum, line) => sum + line.grossAmount, 0)).toBe(order.grossAmount);
    let before = none;
    while (before.amount < order.grossAmount) {
      const amount = Math.min(1 + upTo(order.grossAmount), order.grossAmount - before.amount);
      const taxAmount = taxOfRefund(order, before, amount);
      before = { amount: before.amount + amount, taxAmount: before.taxAmount + taxAmount };
    }
    expect(before.taxAmount).toBe(order.grossAmount === 0 ? 0 : order.taxAmount);
    const split = splitRefund(order.grossAmount, lines);
    expect(split.map(({ taxAmount }) => taxAmount)).toEqual(lines.map((line) => line.taxAmount));
  }
});

const amountsOnly = ({ netAmount, taxAmount, grossAmount }: ReturnType<typeof taxLine>) => ({
  netAmount,
  taxAmount,
  grossAmount,
});
