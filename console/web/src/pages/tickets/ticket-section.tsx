import type { UseQueryResult } from '@tanstack/react-query';
import { Plus, Ticket } from 'lucide-react';
import { useEventPath } from '../../api/event-data.ts';
import type { TicketType } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { StackedBar } from '../../components/chart/bars.tsx';
import type { Column } from '../../components/list/column.ts';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { now } from '../../format/clock.ts';
import { formatCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { common } from '../../text/common.ts';
import { ticketsText } from '../../text/tickets.ts';
import { ItemTable } from './item-table.tsx';
import type { EditedItem } from './item-values.ts';
import { SaleMenu } from './sale-menu.tsx';
import { saleStatus, saleWindow } from './sale-window.rules.ts';

const words = ticketsText.columns;

/** A zero says nothing, so that the other numbers are seen. */
const countOrNone = (count: number) => (count === 0 ? common.noValue : formatCount(count));

/** Whether a ticket is on sale, and what limits its sale. */
function SaleState({
  type: { status, opensAt, closesAt, isPublic, requiresApproval, availability },
}: {
  type: TicketType;
}) {
  const { timezone } = useEvent();
  const notes = [
    ...(status === 'archived' ? [] : saleWindow({ opensAt, closesAt }, timezone, now())),
    ...(isPublic ? [] : [ticketsText.hidden]),
    ...(requiresApproval ? [ticketsText.withApproval] : []),
  ];
  const { remaining } = availability;
  const saleState = saleStatus({ status, remaining, opensAt, closesAt }, now());
  return (
    <span className="inline-flex flex-col items-start gap-0.5 max-md:items-end">
      <StatusBadge kind="sale" status={saleState} />
      {notes.length > 0 && <span className="text-xs text-muted">{notes.join(' · ')}</span>}
    </span>
  );
}

export function TicketSection({
  query,
  onEdit,
}: {
  query: UseQueryResult<{ ticketTypes: TicketType[] }>;
  onEdit: ((item: EditedItem) => void) | null;
}) {
  const { currency } = useEvent();
  const path = useEventPath();
  const columns: Column<TicketType>[] = [
    { id: 'name', header: words.name, cell: ({ name }) => name },
    {
      id: 'status',
      header: words.status,
      card: 'corner',
      cell: (type) => <SaleState type={type} />,
    },
    {
      id: 'price',
      header: words.price,
      isNumber: true,
      cell: ({ priceAmount }) =>
        priceAmount === 0 ? ticketsText.free : formatMoney(priceAmount, currency),
    },
    {
      id: 'seats',
      header: words.seats,
      cell: ({ availability, capacity }) => (
        <span className="flex min-w-28 flex-col gap-1">
          <span className="whitespace-nowrap">
            {ticketsText.soldOf(
              formatCount(availability.confirmed),
              capacity === null ? null : formatCount(capacity),
            )}
          </span>
          {capacity !== null && (
            <StackedBar
              total={Math.max(capacity, availability.confirmed + availability.held)}
              parts={[
                { label: words.sold, value: availability.confirmed, color: 'bg-accent' },
                { label: words.held, value: availability.held, color: 'bg-amber' },
              ]}
            />
          )}
        </span>
      ),
    },
    {
      id: 'held',
      header: words.held,
      isNumber: true,
      cell: ({ availability }) => countOrNone(availability.held),
    },
    {
      id: 'left',
      header: words.left,
      isNumber: true,
      cell: ({ availability: { remaining } }) =>
        remaining === null ? common.unlimited : formatCount(remaining),
    },
    {
      id: 'waitlisted',
      header: words.waitlisted,
      isNumber: true,
      cell: ({ counts }) => countOrNone(counts.waitlisted),
    },
  ];
  const add = onEdit && (
    <Button icon={Plus} onClick={() => onEdit({ kind: 'ticket', record: null })}>
      {ticketsText.addType}
    </Button>
  );
  return (
    <Section title={ticketsText.types} actions={add} isFlush>
      <ItemTable
        label={ticketsText.types}
        folder={onEdit && `${path}/ticket-types`}
        query={query}
        rows={query.data?.ticketTypes}
        columns={columns}
        empty={
          <Empty
            guide="checkout#put-tickets-on-sale"
            icon={Ticket}
            title={ticketsText.noTypes}
            action={add}
          >
            {ticketsText.noTypesText}
          </Empty>
        }
        menu={(type, moves) =>
          onEdit && (
            <SaleMenu
              name={type.name}
              moves={moves}
              status={type.status}
              path={`${path}/ticket-types/${type.id}`}
              archiveText={ticketsText.archiveText(type.counts.confirmed)}
              onEdit={() => onEdit({ kind: 'ticket', record: type })}
            />
          )
        }
      />
    </Section>
  );
}
