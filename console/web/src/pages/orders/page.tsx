import { useParams } from '@tanstack/react-router';
import { Receipt } from 'lucide-react';
import { useCommandList, useList, useRefresh } from '../../api/api.queries.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { Order } from '../../api/records.ts';
import { useEvent, useUnit } from '../../api/unit.ts';
import { ListWithDetail } from '../../components/detail/side-panel.tsx';
import { TicketsLink } from '../../components/event/tickets-link.tsx';
import { OrderStatus } from '../../components/ledger/order-status.tsx';
import { netOf } from '../../components/ledger/refund.rules.ts';
import type { Column } from '../../components/list/column.ts';
import { useColumns } from '../../components/list/columns.tsx';
import { ExportButton } from '../../components/list/export-button.tsx';
import {
  FilterChip,
  PeriodFilter,
  SearchField,
  searchForm,
} from '../../components/list/filters.tsx';
import { ListFilters } from '../../components/list/list-filters.tsx';
import { RecordTable } from '../../components/list/record-table.tsx';
import { EmptyList, SimilarNote } from '../../components/list/search-result.tsx';
import { Email } from '../../components/ui/email.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { formatMoney } from '../../format/money.ts';
import { paths } from '../../format/paths.ts';
import { periodOf } from '../../format/time.ts';
import { common } from '../../text/common.ts';
import { ordersText as text } from '../../text/orders.ts';
import { statusText } from '../../text/status.ts';
import { exported } from './export-columns.ts';
import { NewOrder } from './new-order.tsx';
import { OrderDetail } from './order-detail.tsx';
import { countPeople, itemsOf, orderStatuses, withOthers } from './orders.rules.ts';
import { useOrdersOfPeople } from './use-orders-of-people.ts';

const statuses = orderStatuses.map((value) => ({ value, label: statusText.order[value] }));
const money = [{ value: 'true', label: text.refundDueOnly }];
const words = text.columns;

const columns: Column<Order>[] = [
  {
    id: 'number',
    header: words.number,
    cell: ({ orderNumber }) => <span className="whitespace-nowrap">{orderNumber}</span>,
  },
  {
    id: 'buyer',
    header: words.buyer,
    card: 'line',
    cell: ({ name, email }) =>
      name === null ? (
        <Email address={email} />
      ) : (
        <>
          <span className="block max-md:text-ink">{name}</span>
          <span className="block text-muted">
            <Email address={email} />
          </span>
        </>
      ),
  },
  { id: 'items', header: words.items, isForWide: true, cell: itemsOf },
  {
    id: 'people',
    header: words.people,
    isNumber: true,
    isForWide: true,
    cell: (order) => {
      const { active, all } = countPeople(order);
      return all === 0 ? common.noValue : text.peopleOf(active, all);
    },
  },
  {
    id: 'status',
    header: words.status,
    card: 'corner',
    cell: (order) => <OrderStatus order={order} />,
  },
  {
    id: 'total',
    header: words.total,
    isNumber: true,
    isForWide: true,
    cell: ({ totalAmount, currency }) => formatMoney(totalAmount, currency),
  },
  {
    id: 'net',
    header: words.net,
    isNumber: true,
    cell: (order) => {
      const net = netOf(order);
      return net === null ? common.noValue : formatMoney(net, order.currency);
    },
  },
  {
    id: 'placed',
    header: words.placed,
    isForWide: true,
    cell: ({ placedAt }) => <Instant at={placedAt} style="day" />,
  },
  {
    id: 'refunded',
    header: words.refunded,
    isNumber: true,
    isOptional: true,
    cell: ({ refundedAmount, currency }) =>
      refundedAmount === 0 ? common.noValue : formatMoney(refundedAmount, currency),
  },
  {
    id: 'paid',
    header: words.paid,
    isOptional: true,
    cell: ({ paidAt }) => <Instant at={paidAt} style="day" />,
  },
];

/** The list of orders, and one order beside it. */
export function OrdersPage() {
  const unit = useUnit();
  const event = useEvent();
  const { orderId } = useParams({ strict: false }) as { orderId?: string };
  const [{ pages }] = useSearchState();
  useRefresh({ isEnabled: pages === undefined });
  return (
    <ListWithDetail
      label={text.columns.number}
      listHref={paths.eventPage(unit.id, event.id, 'orders')}
      list={<Orders activeId={orderId} />}
      detail={orderId ? <OrderDetail key={orderId} id={orderId} /> : null}
    />
  );
}

const searchCommand = 'order.search';
const noFilters = {
  status: undefined,
  refundDue: undefined,
  from: undefined,
  until: undefined,
};
const forms = {
  q: searchForm,
  status: statuses,
  refundDue: money,
  from: 'day',
  until: 'day',
} as const;

function Orders({ activeId }: { activeId: string | undefined }) {
  const unit = useUnit();
  const event = useEvent();
  const path = `${useEventPath()}/orders`;
  const [search, setSearch] = useSearchState(forms);
  const query = search.q?.trim() ?? '';
  const { status, from, until, refundDue } = search;
  const { from: placedFrom, before: placedBefore } = periodOf(from, until, event.timezone);
  const filter = { status, placedFrom, placedBefore };
  const listed = { ...filter, refundDue };
  const all = useList<Order>('orders', path, listed, { isEnabled: query === '' });
  const isSearch = query !== '';
  const input = { eventId: event.id, query, ...filter };
  const found = useCommandList<Order>('orders', searchCommand, input, { isEnabled: isSearch });
  const others = useOrdersOfPeople(query, filter);
  const isFoundByBuyer = new Set(found.rows.map(({ id }) => id));
  // A file has the rows that the list shows.
  const rows = isSearch ? { path: searchCommand, input } : { path, query: listed };
  const { visible, picker } = useColumns('orders', columns);
  const { full: _, ...kept } = search;
  const list = isSearch ? { ...found, rows: withOthers(found.rows, others) } : all;
  const isFiltered = Boolean(status || refundDue || from || until);
  return (
    <>
      <PageHeader
        title={text.title}
        actions={
          <>
            <NewOrder />
            {picker}
            <ExportButton<Order>
              listKey="orders"
              {...rows}
              {...exported(event, text.files)}
              {...(isSearch && { more: others.filter(({ id }) => !isFoundByBuyer.has(id)) })}
            />
          </>
        }
      />
      <ListFilters
        search={
          <SearchField
            label={text.search}
            value={search.q ?? ''}
            onChange={(q) => setSearch({ q, pages: undefined })}
          />
        }
        values={[status, refundDue, from, until]}
        onClear={() => setSearch({ ...noFilters, pages: undefined })}
      >
        <FilterChip
          label={common.status}
          value={status}
          choices={statuses}
          onChange={(value) => setSearch({ status: value, pages: undefined })}
        />
        {!isSearch && (
          <FilterChip
            label={text.money}
            value={refundDue}
            choices={money}
            onChange={(value) => setSearch({ refundDue: value, pages: undefined })}
          />
        )}
        <PeriodFilter labels={text.period} days={search} onChange={setSearch} />
      </ListFilters>
      <Section isFlush>
        <SimilarNote kind="orders" list={list} query={query} />
        <RecordTable
          label={text.title}
          list={list}
          columns={visible}
          rowId={({ id }) => id}
          rowName={({ orderNumber }) => orderNumber}
          rowHref={({ id }) => paths.order(unit.id, event.id, id)}
          search={kept}
          activeId={activeId}
          empty={
            <EmptyList
              kind="orders"
              query={query}
              isFiltered={isFiltered}
              filteredTitle={text.emptyFiltered}
              days={search}
              onRemoveFilters={() => setSearch(noFilters)}
            >
              <Empty
                guide="checkout"
                icon={Receipt}
                title={text.emptyTitle}
                action={<TicketsLink />}
              >
                {text.emptyText}
              </Empty>
            </EmptyList>
          }
        />
      </Section>
    </>
  );
}
