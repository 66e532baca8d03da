import type { RefundPolicy } from '../../api/records.ts';
import { formatMoney } from '../../format/money.ts';
import { formatInstant, isInstant } from '../../format/time.ts';
import { bandText as text } from '../../text/settings.ts';

export type Band = NonNullable<RefundPolicy>['bands'][number];

/** A band as it is edited. Only the end that is chosen counts. */
export interface EditedBand extends Omit<Band, 'percent' | 'fixedFee'> {
  end: 'days' | 'instant';
  percent: number | null;
  fixedFee: number | null;
}

/** A stored band as it is edited. */
export const toEditedBand = (band: Band): EditedBand => ({
  ...band,
  end: band.until === null ? 'days' : 'instant',
});

/** What the names and amounts of a band mean in an event. */
export interface BandContext {
  currency: string;
  timezone: string;
  ticketTypes: readonly { id: string; name: string }[];
}

/** "Until 14 days before the start: 80 %, minus €5.00". */
export function sentenceOf(
  { end, daysBeforeStart, until, percent, fixedFee, ticketTypeIds }: EditedBand,
  { currency, timezone, ticketTypes }: BandContext,
): string {
  const instant =
    until !== null && isInstant(until) ? formatInstant(until, timezone) : text.unknown;
  const deadline = end === 'days' ? text.untilDays(daysBeforeStart) : text.untilInstant(instant);
  const names = ticketTypes.filter(({ id }) => ticketTypeIds.includes(id)).map(({ name }) => name);
  const types = names.length === 0 ? text.someTypes : names.join(', ');
  const part = percent === 0 ? text.nothing : percent === 100 ? text.all : text.part(percent);
  const fee = percent !== 0 && fixedFee ? text.minus(formatMoney(fixedFee, currency)) : '';
  return `${deadline}${ticketTypeIds.length > 0 ? text.forTypes(types) : ''}: ${part}${fee}`;
}
