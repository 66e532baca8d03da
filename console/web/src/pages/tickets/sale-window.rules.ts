import type { TicketType } from '../../api/records.ts';
import { formatInstant } from '../../format/time.ts';
import { ticketsText as text } from '../../text/tickets.ts';

/** What the sale window of a ticket means now: when it begins, ends, or has ended. */
export function saleWindow(
  { opensAt, closesAt }: Pick<TicketType, 'opensAt' | 'closesAt'>,
  zone: string,
  now: Date,
): string[] {
  const isPast = (instant: string) => Date.parse(instant) <= now.getTime();
  if (closesAt && isPast(closesAt)) return [text.ended(formatInstant(closesAt, zone))];
  return [
    ...(opensAt && !isPast(opensAt) ? [text.from(formatInstant(opensAt, zone))] : []),
    ...(closesAt ? [text.until(formatInstant(closesAt, zone))] : []),
  ];
}
