import { currencies } from '@event-api/contracts/http/currencies';
import { describe, expect, test } from 'vitest';
import { fromStripeAmount, toStripeAmount } from './stripe-amounts.rules.ts';

/** The number of decimals where it is not two, in ISO 4217 and at Stripe. */
const iso = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);
const stripe = new Map([
  ...'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD JOD KWD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);
const decimalsOf = (of: Map<string, number>, code: string) => of.get(code) ?? 2;
const unknown = ['IQD', 'LYD'];
const taken = currencies.filter((code) => !unknown.includes(code));

test.each(taken)('converts 7 %s to 7 at Stripe and back', (code) => {
  const ours = 7 * 10 ** decimalsOf(iso, code);
  const stripes = 7 * 10 ** decimalsOf(stripe, code);
  expect(toStripeAmount(ours, code)).toBe(stripes);
  expect(fromStripeAmount(stripes, code)).toBe(ours);
});

describe.each<[currency: string, ours: number, stripes: number | null]>([
  ['EUR', 1234, 1234],
  ['EUR', 0, 0],
  ['EUR', 100_000_000, 100_000_000],
  ['JPY', 500, 500],
  ['HUF', 17_545, 17_545],
  ['TWD', 80_045, 80_045],
  ['ISK', 5, 500],
  ['UGX', 5, 500],
  ['UGX', 100_000_000, 10_000_000_000],
  ['MGA', 500, 5],
  ['MGA', 520, null],
  ['MGA', 1, null],
  ['KWD', 5120, 5120],
  ['KWD', 5124, null],
  ['TND', 5, null],
  ['IQD', 5000, null],
  ['LYD', 5000, null],
])('%s', (currency, ours, stripes) => {
  test(`converts ${ours} minor units to ${stripes ?? 'null'}`, () => {
    expect(toStripeAmount(ours, currency)).toBe(stripes);
    if (stripes !== null) expect(fromStripeAmount(stripes, currency)).toBe(ours);
  });
});

test.each([
  ['ISK', 550, null],
  ['UGX', 1, null],
  ['LYD', 5000, null],
  ['KWD', 5124, 5124],
])('converts %s %i of Stripe to %s minor units', (currency, stripes, ours) => {
  expect(fromStripeAmount(stripes, currency)).toBe(ours);
});
