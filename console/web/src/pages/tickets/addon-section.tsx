import type { UseQueryResult } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useEventPath } from '../../api/event-data.ts';
import type { Addon } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import type { Column } from '../../components/list/column.ts';
import { Button } from '../../components/ui/button.tsx';
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

export function AddonSection({
  query,
  onEdit,
}: {
  query: UseQueryResult<{ addons: Addon[] }>;
  onEdit: ((item: EditedItem) => void) | null;
}) {
  const { currency } = useEvent();
  const path = useEventPath();
  const columns: Column<Addon>[] = [
    { id: 'name', header: words.name, cell: ({ name }) => name },
    {
      id: 'status',
      header: words.status,
      card: 'corner',
      cell: (addon) => <SaleState item={addon} />,
    },
    {
      id: 'price',
      header: words.price,
      isNumber: true,
      cell: ({ priceAmount }) =>
        priceAmount === 0 ? ticketsText.free : formatMoney(priceAmount, currency),
    },
    {
      id: 'sold',
      header: words.sold,
      isNumber: true,
      cell: ({ availability: { sold, capacity } }) =>
        ticketsText.soldOf(formatCount(sold), capacity === null ? null : formatCount(capacity)),
    },
    {
      id: 'left',
      header: words.left,
      isNumber: true,
      cell: ({ availability: { remaining } }) =>
        remaining === null ? common.unlimited : formatCount(remaining),
    },
  ];
  return (
    <Section
      title={ticketsText.addons}
      isFlush
      actions={
        onEdit && (
          <Button icon={Plus} onClick={() => onEdit({ kind: 'addon', record: null })}>
            {ticketsText.addAddon}
          </Button>
        )
      }
    >
      <ItemTable
        label={ticketsText.addons}
        folder={onEdit && `${path}/addons`}
        query={query}
        rows={query.data?.addons}
        columns={columns}
        empty={<p className="px-4 pb-4 text-muted">{ticketsText.noAddons}</p>}
        menu={(addon, moves) =>
          onEdit && (
            <SaleMenu
              name={addon.name}
              moves={moves}
              status={addon.status}
              path={`${path}/addons/${addon.id}`}
              archiveText={ticketsText.archiveAddonText}
              onEdit={() => onEdit({ kind: 'addon', record: addon })}
            />
          )
        }
      />
    </Section>
  );
}
