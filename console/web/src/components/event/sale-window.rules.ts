import type { TicketType } from '../../api/records.ts';
import { formatInstant } from '../../format/time.ts';
import { ticketsText as text } from '../../text/tickets.ts';

/**
 * The status of a sale as buyers meet it: what is open and has no seat left is sold out, and
 * outside of its window it is not on sale.
 */
export function saleStatus(
  {
    status,
    remaining,
    opensAt,
    closesAt,
  }: {
    status: TicketType['status'];
    /** Null without a limit. */
    remaining: number | null;
    opensAt: string | null;
    closesAt: string | null;
  },
  now: Date,
): TicketType['status'] | 'sold_out' | 'scheduled' | 'ended' {
  if (status !== 'open') return status;
  const isPast = (instant: string) => Date.parse(instant) <= now.getTime();
  if (closesAt && isPast(closesAt)) return 'ended';
  if (opensAt && !isPast(opensAt)) return 'scheduled';
  return remaining === 0 ? 'sold_out' : 'open';
}

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
