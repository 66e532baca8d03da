import type { UseQueryResult } from '@tanstack/react-query';
import { Plus, Ticket } from 'lucide-react';
import { useEventPath } from '../../api/event-data.ts';
import type { TicketType } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { StackedBar } from '../../components/chart/bars.tsx';
import type { Column } from '../../components/list/column.ts';
import { Button } from '../../components/ui/button.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { common } from '../../text/common.ts';
import { ticketsText } from '../../text/tickets.ts';
import { ItemTable } from './item-table.tsx';
import type { EditedItem } from './item-values.ts';
import { SaleMenu } from './sale-menu.tsx';
import { SaleState } from './sale-state.tsx';

const words = ticketsText.columns;

/** A zero says nothing, so that the other numbers are seen. */
const countOrNone = (count: number) => (count === 0 ? common.noValue : formatCount(count));

export function TicketSection({
  query,
  onEdit,
}: {
  query: UseQueryResult<{ ticketTypes: TicketType[] }>;
  onEdit: ((item: EditedItem) => void) | null;
}) {
  const { currency, capacityGroups } = useEvent();
  const path = useEventPath();
  const columns: Column<TicketType>[] = [
    { id: 'name', header: words.name, cell: ({ name }) => name },
    {
      id: 'status',
      header: words.status,
      card: 'corner',
      cell: (type) => (
        <SaleState
          item={type}
          notes={[
            ...(type.isPublic ? [] : [ticketsText.hidden]),
            ...(type.requiresApproval ? [ticketsText.withApproval] : []),
          ]}
        />
      ),
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
      cell: ({ availability, capacity, capacityGroupId }) => (
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
          {capacityGroups
            .filter(({ id }) => id === capacityGroupId)
            .map(({ id, name }) => (
              <span key={id} dir="auto" className="text-xs text-muted wrap-anywhere">
                {ticketsText.shares(name)}
              </span>
            ))}
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
