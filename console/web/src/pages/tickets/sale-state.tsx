import type { Addon, TicketType } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { saleStatus, saleWindow } from '../../components/event/sale-window.rules.ts';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { now } from '../../format/clock.ts';
import { ticketsText } from '../../text/tickets.ts';

type Limited = Pick<
  TicketType | Addon,
  'status' | 'opensAt' | 'closesAt' | 'minPerOrder' | 'maxPerOrder'
> & { availability: { remaining: number | null } };

/** Whether a ticket or an add-on is on sale, and what limits its sale. */
export function SaleState({ item, notes = [] }: { item: Limited; notes?: readonly string[] }) {
  const { timezone } = useEvent();
  const { status, opensAt, closesAt, minPerOrder, maxPerOrder, availability } = item;
  const { remaining } = availability;
  const perOrder = ticketsText.perOrder(minPerOrder, maxPerOrder);
  const all = [
    ...(status === 'archived' ? [] : saleWindow({ opensAt, closesAt }, timezone, now())),
    ...(perOrder === null ? [] : [perOrder]),
    ...notes,
  ];
  return (
    <span className="inline-flex flex-col items-start gap-0.5 max-md:items-end">
      <StatusBadge
        kind="sale"
        status={saleStatus({ status, remaining, opensAt, closesAt }, now())}
      />
      {all.length > 0 && <span className="text-xs text-muted">{all.join(' · ')}</span>}
    </span>
  );
}
