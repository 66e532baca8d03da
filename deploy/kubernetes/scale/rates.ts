import type { Rates } from './capacity.ts';

/** A mistake in the command line. */
export class UsageError extends Error {}

/** The option of each operation, and what its rate counts. */
export const rateOptions = {
  orders: { operation: 'paidOrder', unit: 'paid orders' },
  'free-orders': { operation: 'freeOrder', unit: 'free orders' },
  registrations: { operation: 'registration', unit: 'registrations' },
  checkins: { operation: 'checkin', unit: 'check-ins' },
  reads: { operation: 'read', unit: 'reads' },
  'feed-rows': { operation: 'feedRow', unit: 'rows of the feed' },
  'console-pages': { operation: 'consolePage', unit: 'pages of the console' },
} as const;
export type RateOption = keyof typeof rateOptions;

/** Reads of a shop for each order or registration, also by visitors who do not buy. */
const READS_FOR_EACH_SALE = 10;
/** Changes that the feed reports, which one integrator reads. */
const CHANGES = { paidOrder: 4, freeOrder: 3, registration: 1, checkin: 1 };

/**
 * The load of the given rates (`50/s`, `3000/min`). Reads and rows of the feed that are not given
 * follow from the sales and the check-ins. Errors: UsageError.
 */
export function ratesOf(texts: Partial<Record<RateOption, string>>): Rates {
  const rateOf = (option: RateOption) => parseRate(option, texts[option]);
  const paidOrder = rateOf('orders') ?? 0;
  const freeOrder = rateOf('free-orders') ?? 0;
  const registration = rateOf('registrations') ?? 0;
  const checkin = rateOf('checkins') ?? 0;
  const changes =
    paidOrder * CHANGES.paidOrder +
    freeOrder * CHANGES.freeOrder +
    registration * CHANGES.registration +
    checkin * CHANGES.checkin;
  return {
    paidOrder,
    freeOrder,
    registration,
    checkin,
    read: rateOf('reads') ?? READS_FOR_EACH_SALE * (paidOrder + freeOrder + registration),
    feedRow: rateOf('feed-rows') ?? changes,
    consolePage: rateOf('console-pages') ?? 0,
  };
}

function parseRate(option: RateOption, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, amount, period] = /^(\d+(?:\.\d+)?)\/(s|min)$/.exec(text) ?? [];
  if (amount === undefined)
    throw new UsageError(`--${option} must be a rate such as 50/s or 3000/min, and is ${text}`);
  return Number(amount) / (period === 'min' ? 60 : 1);
}

/** One line, without the rates that are zero. */
export const describeRates = (rates: Rates): string =>
  Object.values(rateOptions)
    .filter(({ operation }) => rates[operation] > 0)
    .map(({ operation, unit }) => `${Number(rates[operation].toFixed(1))} ${unit}/s`)
    .join(', ');
