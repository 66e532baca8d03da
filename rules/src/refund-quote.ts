import type { RefundBand, RefundPolicy } from '@event-api/contracts/http/refund-policies';
import { calendarOf, type EventStart } from './refund-deadline.ts';

/** What is to be cancelled: a seat, or the add-ons of a person, with what they cost. */
export interface QuoteItem {
  id: string;
  kind: 'seat' | 'addon';
  /** The ticket type that was paid for; of an add-on that of the seat of its recipient, or null. */
  ticketTypeId: string | null;
  /** What it really cost, after every discount. */
  amount: number;
}

export const quoteReasons = ['band', 'too_late', 'no_bands'] as const;

/** What is paid back for an item: `amount = refundAmount + keptAmount`. */
export interface QuotedItem extends QuoteItem {
  refundAmount: number;
  keptAmount: number;
  /** The part of `keptAmount` that is the fixed fee. */
  feeAmount: number;
  /** The index of the band that applies, or null. */
  band: number | null;
  /** Whether less is left than the band pays back. */
  isLimited: boolean;
  /** `too_late`: no band applies any more. `no_bands`: the policy has none, an operator decides. */
  reason: (typeof quoteReasons)[number];
}

export interface RefundQuote {
  items: QuotedItem[];
  refundAmount: number;
  keptAmount: number;
  feeAmount: number;
}

export interface QuoteInput {
  items: readonly QuoteItem[];
  /** The policy with which the order was placed. Without one nothing is promised. */
  policy: Pick<RefundPolicy, 'bands' | 'refundableUntil'> | null;
  event: EventStart;
  now: Date;
  /** What is left of the payment of the order, without refunds that exist. */
  left: number;
}

/**
 * Quotes what a refund policy pays back for the cancellation of items, in minor units. Each item is
 * rounded by itself, half up, and the fixed fee of a band is kept of each seat, at most what would
 * be paid back of it. So items that are cancelled one by one get what they get together. All items
 * together get no more than `left`, the first ones first. Fees are kept of what is left then.
 */
export function quoteRefund({ items, policy, event, now, left }: QuoteInput): RefundQuote {
  const ends = endsOf(policy?.bands ?? [], event);
  const hasEnded = policy?.refundableUntil != null && now >= new Date(policy.refundableUntil);
  let rest = left;
  const quoted = items.map((item): QuotedItem => {
    const band = hasEnded
      ? null
      : (ends.find((each) => isFor(each.band, item) && (each.endsAt === null || now < each.endsAt))
          ?.index ?? null);
    const { refundAmount: promised, feeAmount } = amountsOf(item, policy?.bands[band ?? -1]);
    const refundAmount = Math.min(promised, rest);
    rest -= refundAmount;
    const reason = band !== null ? 'band' : ends.length > 0 ? 'too_late' : 'no_bands';
    const keptAmount = item.amount - refundAmount;
    const isLimited = refundAmount < promised;
    return { ...item, refundAmount, keptAmount, feeAmount, band, reason, isLimited };
  });
  for (const item of quoted) {
    item.feeAmount = Math.min(item.feeAmount, rest);
    rest -= item.feeAmount;
  }
  const sumOf = (of: 'refundAmount' | 'keptAmount' | 'feeAmount') =>
    quoted.reduce((sum, item) => sum + item[of], 0);
  return {
    items: quoted,
    refundAmount: sumOf('refundAmount'),
    keptAmount: sumOf('keptAmount'),
    feeAmount: sumOf('feeAmount'),
  };
}

interface BandEnd {
  band: RefundBand;
  index: number;
  /** Null while the start of the event is not known: the band has not ended. */
  endsAt: Date | null;
}

/** The bands with the instants at which they end. */
export function endsOf(bands: readonly RefundBand[], event: EventStart): BandEnd[] {
  const daysBeforeStart = calendarOf(event);
  return bands.map((band, index) => {
    const endsAt =
      band.until === null ? daysBeforeStart(band.daysBeforeStart ?? 0) : new Date(band.until);
    return { band, index, endsAt };
  });
}

const isFor = ({ ticketTypeIds }: RefundBand, { ticketTypeId }: QuoteItem): boolean =>
  ticketTypeIds.length === 0 || (ticketTypeId !== null && ticketTypeIds.includes(ticketTypeId));

function amountsOf(
  { kind, amount }: QuoteItem,
  band: RefundBand | undefined,
): { refundAmount: number; feeAmount: number } {
  if (!band) return { refundAmount: 0, feeAmount: 0 };
  const part = Math.floor((amount * band.percent + 50) / 100);
  const feeAmount = kind === 'seat' ? Math.min(band.fixedFee, part) : 0;
  return { refundAmount: part - feeAmount, feeAmount };
}
