import type { UseQueryResult } from '@tanstack/react-query';
import { Plus, Ticket } from 'lucide-react';
import { useEventPath } from '../../api/event-data.ts';
import type { TicketType } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import type { Column } from '../../components/list/column.ts';
import { StatusBadge } from '../../components/ui/badge.tsx';
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

const words = ticketsText.columns;

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
      cell: ({ status }) => <StatusBadge kind="sale" status={status} />,
    },
    {
      id: 'price',
      header: words.price,
      isNumber: true,
      cell: ({ priceAmount }) =>
        priceAmount === 0 ? ticketsText.free : formatMoney(priceAmount, currency),
    },
    {
      id: 'confirmed',
      header: words.confirmed,
      isNumber: true,
      cell: ({ counts }) => formatCount(counts.confirmed),
    },
    {
      id: 'waitlisted',
      header: words.waitlisted,
      isNumber: true,
      cell: ({ counts }) => formatCount(counts.waitlisted),
    },
    {
      id: 'capacity',
      header: words.capacity,
      isNumber: true,
      cell: ({ capacity }) => (capacity === null ? common.unlimited : formatCount(capacity)),
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
        menu={(type) =>
          onEdit && (
            <SaleMenu
              name={type.name}
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
