import type { UseQueryResult } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useEventPath } from '../../api/event-data.ts';
import type { Addon, Bundle, TicketType } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { saleStatus } from '../../components/event/sale-window.rules.ts';
import type { Column } from '../../components/list/column.ts';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { now } from '../../format/clock.ts';
import { formatCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { common } from '../../text/common.ts';
import { ticketsText } from '../../text/tickets.ts';
import { ItemTable } from './item-table.tsx';
import type { EditedItem } from './item-values.ts';
import { SaleMenu } from './sale-menu.tsx';

const words = ticketsText.columns;

export interface SoldItems {
  ticketTypes: readonly TicketType[];
  addons: readonly Addon[];
}

export function BundleSection({
  query,
  items,
  onEdit,
}: {
  query: UseQueryResult<{ bundles: Bundle[] }>;
  items: SoldItems;
  onEdit: ((item: EditedItem) => void) | null;
}) {
  const { currency } = useEvent();
  const path = useEventPath();
  const nameOf = new Map([...items.ticketTypes, ...items.addons].map(({ id, name }) => [id, name]));
  const columns: Column<Bundle>[] = [
    { id: 'name', header: words.name, cell: ({ name }) => name },
    {
      id: 'status',
      header: words.status,
      card: 'corner',
      cell: ({ status, remaining }) => (
        <StatusBadge
          kind="sale"
          status={saleStatus({ status, remaining, opensAt: null, closesAt: null }, now())}
        />
      ),
    },
    {
      id: 'items',
      header: words.items,
      cell: (bundle) =>
        bundle.items
          .map(({ itemId, quantity }) => `${quantity} × ${nameOf.get(itemId) ?? itemId}`)
          .join(', '),
    },
    {
      id: 'price',
      header: words.price,
      isNumber: true,
      cell: ({ effectivePriceAmount }) =>
        effectivePriceAmount === 0 ? ticketsText.free : formatMoney(effectivePriceAmount, currency),
    },
    {
      id: 'left',
      header: words.left,
      isNumber: true,
      cell: ({ remaining }) => (remaining === null ? common.unlimited : formatCount(remaining)),
    },
  ];
  return (
    <Section
      title={ticketsText.bundles}
      isFlush
      actions={
        onEdit && (
          <Button icon={Plus} onClick={() => onEdit({ kind: 'bundle', record: null })}>
            {ticketsText.addBundle}
          </Button>
        )
      }
    >
      <ItemTable
        label={ticketsText.bundles}
        folder={onEdit && `${path}/bundles`}
        query={query}
        rows={query.data?.bundles}
        columns={columns}
        empty={<p className="px-4 pb-4 text-muted">{ticketsText.noBundles}</p>}
        menu={(bundle, moves) =>
          onEdit && (
            <SaleMenu
              name={bundle.name}
              moves={moves}
              status={bundle.status}
              path={`${path}/bundles/${bundle.id}`}
              archiveText={ticketsText.archiveBundleText}
              onEdit={() => onEdit({ kind: 'bundle', record: bundle })}
            />
          )
        }
      />
    </Section>
  );
}
