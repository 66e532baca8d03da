import { CircleCheck } from 'lucide-react';
import { useCommandList } from '../../api/queries.ts';
import type { ListedRefund } from '../../api/records.ts';
import { useUnit } from '../../api/unit.ts';
import type { Column } from '../../components/list/column.ts';
import { FilterChip } from '../../components/list/filters.tsx';
import { RecordTable } from '../../components/list/record-table.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { formatMoney } from '../../format/money.ts';
import { paths } from '../../format/paths.ts';
import { refundsText as text } from '../../text/orders.ts';
import { statusText } from '../../text/status.ts';

const words = text.columns;

const columns: Column<ListedRefund>[] = [
  { id: 'order', header: words.order, cell: ({ orderNumber }) => orderNumber },
  { id: 'buyer', header: words.buyer, cell: ({ email }) => email },
  {
    id: 'amount',
    header: words.amount,
    isNumber: true,
    cell: ({ amount, currency }) => formatMoney(amount, currency),
  },
  {
    id: 'state',
    header: words.state,
    cell: ({ state }) => <StatusBadge kind="refund" status={state} />,
  },
  {
    id: 'cause',
    header: words.cause,
    cell: ({ cause, reason }) => reason ?? text.causes[cause] ?? cause.replaceAll('_', ' '),
  },
  { id: 'created', header: words.created, cell: ({ createdAt }) => <Instant at={createdAt} /> },
  { id: 'done', header: words.done, cell: ({ doneAt }) => <Instant at={doneAt} /> },
];

const states = Object.entries(statusText.refund).map(([value, label]) => ({ value, label }));

/** What the business unit owes to buyers, and what it has paid back. Without a filter: what is due. */
export function RefundsPage() {
  const unit = useUnit();
  const [search, setSearch] = useSearchState({ state: states });
  const state = search.state ?? 'due';
  const list = useCommandList<ListedRefund>('refunds', 'refund.list', { state });
  return (
    <>
      <PageHeader title={text.title} description={text.description} />
      <div className="mb-3">
        <FilterChip
          label={text.state}
          value={state}
          choices={states}
          onChange={(next) => setSearch({ state: next, pages: undefined })}
        />
      </div>
      <Section isFlush>
        <RecordTable
          label={text.title}
          list={list}
          columns={columns}
          rowId={({ id }) => id}
          rowName={({ orderNumber }) => orderNumber}
          rowHref={({ eventId, orderId }) => paths.order(unit.id, eventId, orderId)}
          empty={
            state === 'due' ? (
              <Empty icon={CircleCheck} title={text.noneDue}>
                {text.noneDueText}
              </Empty>
            ) : (
              <Empty title={text.none} />
            )
          }
        />
      </Section>
    </>
  );
}
