import { describe, expect, test } from 'vitest';
import { daysBefore } from './refund-deadline.ts';
import { type QuotedItem, type QuoteInput, type QuoteItem, quoteRefund } from './refund-quote.ts';

const band = (fields: object) => ({
  daysBeforeStart: null as number | null,
  until: null as string | null,
  percent: 100,
  fixedFee: 0,
  ticketTypeIds: [] as string[],
  ...fields,
});

const event = { startsAt: new Date('2027-05-10T07:00:00.000Z'), timezone: 'Europe/Berlin' };
const item = (amount: number, fields: Partial<QuoteItem> = {}): QuoteItem => ({
  id: 'reg_1',
  kind: 'seat',
  ticketTypeId: 'tt_day',
  amount,
  ...fields,
});

const bands = [
  band({ daysBeforeStart: 14, percent: 80, fixedFee: 500 }),
  band({ daysBeforeStart: 3, percent: 50 }),
];

function quote(input: Partial<QuoteInput> & { bands?: ReturnType<typeof band>[]; at?: string }) {
  const { bands: own = bands, at = '2027-01-01T00:00:00.000Z', ...fields } = input;
  return quoteRefund({
    items: [item(10_000)],
    policy: { bands: own, refundableUntil: null },
    event,
    now: new Date(at),
    left: 1_000_000,
    ...fields,
  });
}

describe('a quote', () => {
  test.each([
    ['in the first band', '2027-04-26T06:59:59.999Z', 7500, 500, 0, 'band'],
    ['at the end of the first band', '2027-04-26T07:00:00.000Z', 5000, 0, 1, 'band'],
    ['in the last band', '2027-05-07T06:59:59.999Z', 5000, 0, 1, 'band'],
    ['after the last band', '2027-05-07T07:00:00.000Z', 0, 0, null, 'too_late'],
  ])('%s', (_, at, refundAmount, feeAmount, index, reason) => {
    expect(quote({ at })).toEqual({
      items: [
        {
          ...item(10_000),
          refundAmount,
          keptAmount: 10_000 - refundAmount,
          feeAmount,
          band: index,
          reason,
          isLimited: false,
        },
      ],
      refundAmount,
      keptAmount: 10_000 - refundAmount,
      feeAmount,
    });
  });

  test.each<[string, Parameters<typeof quote>[0], number[]]>([
    [
      'rounds half up',
      { items: [item(101)], bands: [band({ until: '2028-01-01T00:00:00.000Z', percent: 50 })] },
      [51],
    ],
    ['pays nothing where the fee is higher', { items: [item(600)] }, [0]],
    [
      'keeps no fee of add-ons',
      { items: [item(10_000), item(1000, { kind: 'addon' })] },
      [7500, 800],
    ],
    [
      'uses the first band for the ticket type',
      { bands: [band({ daysBeforeStart: 30, ticketTypeIds: ['tt_vip'] }), ...bands] },
      [7500],
    ],
    [
      'uses the band of its own ticket type',
      {
        items: [item(100, { ticketTypeId: 'tt_vip' })],
        bands: [band({ daysBeforeStart: 30, ticketTypeIds: ['tt_vip'] }), ...bands],
      },
      [100],
    ],
    [
      'uses bands for all for a person without a seat',
      {
        items: [item(100, { kind: 'addon', ticketTypeId: null })],
        bands: [band({ daysBeforeStart: 30, ticketTypeIds: ['tt_day'] }), ...bands],
      },
      [80],
    ],
    [
      'pays no more than is left, the first items first',
      { items: [item(10_000), item(10_000)], left: 8000 },
      [7500, 500],
    ],
    ['pays nothing without bands', { bands: [] }, [0]],
    ['pays nothing without a policy', { policy: null }, [0]],
    [
      'pays nothing after the end of the policy',
      { policy: { bands, refundableUntil: '2027-01-01T00:00:00.000Z' } },
      [0],
    ],
    [
      'does not end while the start is not known',
      { event: { ...event, startsAt: null }, at: '2029-01-01T00:00:00.000Z' },
      [7500],
    ],
  ])('%s', (_, input, expected) => {
    expect(quote(input).items.map(({ refundAmount }) => refundAmount)).toEqual(expected);
  });
});

/** A sequence of numbers below 1 that a seed repeats (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Pacific/Auckland',
  'UTC',
];
/** Days beside changes of the clocks, and an ordinary one. */
const starts = [
  '2027-03-28',
  '2027-03-14',
  '2027-10-31',
  '2027-11-07',
  '2027-04-04',
  '2027-09-26',
  '2027-07-01',
];

test('quotes of 10,000 random orders are exact at every edge, item by item or together', () => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  const random = randomOf(seed);
  const upTo = (limit: number) => Math.floor(random() * (limit + 1));
  const pick = <T>(from: readonly T[]): T => from[upTo(from.length - 1)] as T;
  const types = ['tt_a', 'tt_b'];
  for (let n = 0; n < 10_000; n++) {
    const about = `seed ${seed}, case ${n}`;
    const startsAt = new Date(Date.parse(`${pick(starts)}T00:00:00.000Z`) + upTo(95) * 900_000);
    const of = { startsAt, timezone: pick(zones) };
    const days = upTo(20);
    const edge = daysBefore(of, days) as Date;
    const now = new Date(edge.getTime() + pick([-3_600_000, -1, 0, 1, 3_600_000]));
    const own = Array.from({ length: 1 + upTo(2) }, (_, index) =>
      band({
        ...(index === 0 || random() < 0.5
          ? { daysBeforeStart: index === 0 ? days : upTo(days) }
          : { until: new Date(edge.getTime() + upTo(10) * 3_600_000).toISOString() }),
        percent: upTo(100),
        fixedFee: pick([0, 1, 500, upTo(20_000)]),
        ticketTypeIds: random() < 0.3 ? [pick(types)] : [],
      }),
    );
    const items = Array.from({ length: 1 + upTo(5) }, (_, index) =>
      item(pick([0, 1, upTo(99), upTo(100_000_000)]), {
        id: `reg_${index}`,
        kind: random() < 0.7 ? 'seat' : 'addon',
        ticketTypeId: random() < 0.1 ? null : pick(types),
      }),
    );
    const paid = items.reduce((sum, { amount }) => sum + amount, 0);
    const left = random() < 0.7 ? paid : upTo(paid);
    const input = { policy: { bands: own, refundableUntil: null }, event: of, now };
    const together = quoteRefund({ ...input, items, left });

    const split = upTo(items.length - 1);
    const isOfFirst = ({ ticketTypeId }: QuoteItem) =>
      own[0]?.ticketTypeIds.length === 0 || own[0]?.ticketTypeIds.includes(ticketTypeId ?? '');
    const rests: number[] = [];
    let rest = left;
    const isExact = together.items.every((quoted) => {
      const { amount, band: index, kind, refundAmount, keptAmount } = quoted;
      // The edge of the first band, which every case is near, is that of the calendar.
      const usesFirst = now < edge && isOfFirst(quoted) === true;
      // The exact amount, in integers without a limit.
      const chosen = index === null ? undefined : own[index];
      const fee = kind === 'seat' ? BigInt(chosen?.fixedFee ?? 0) : 0n;
      const part = (BigInt(amount) * BigInt(chosen?.percent ?? 0) * 2n + 100n) / 200n - fee;
      const expected = Math.min(Number(part > 0n ? part : 0n), rest);
      rests.push(rest);
      rest -= refundAmount;
      return (
        (index === 0) === usesFirst &&
        refundAmount === expected &&
        refundAmount + keptAmount === amount
      );
    });
    const { refundAmount, keptAmount } = together;
    const isWhole = refundAmount === left - rest && rest >= 0 && refundAmount + keptAmount === paid;
    // Cancelled after the ones before it, an item gets the same, and so do those after it.
    const later = quoteRefund({ ...input, items: items.slice(split), left: rests[split] ?? 0 });
    const refundsOf = (quoted: readonly QuotedItem[]) =>
      JSON.stringify(quoted.map((each) => ({ ...each, feeAmount: 0 })));
    const isSame = refundsOf(later.items) === refundsOf(together.items.slice(split));
    const isCovered = refundAmount + together.feeAmount <= left;
    if (isExact && isWhole && isSame && isCovered) continue;
    expect({ about, isExact, isWhole, isSame, isCovered, input, together }).toBeNull();
  }
});
