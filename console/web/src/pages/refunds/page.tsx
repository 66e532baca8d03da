import { CircleCheck } from 'lucide-react';
import { useCommandList } from '../../api/api.queries.ts';
import type { ListedRefund } from '../../api/records.ts';
import { useUnit, useZone } from '../../api/unit.ts';
import type { Column } from '../../components/list/column.ts';
import { timeColumn } from '../../components/list/csv-columns.ts';
import { ExportButton } from '../../components/list/export-button.tsx';
import { EmptyFiltered, FilterChip, PeriodFilter } from '../../components/list/filters.tsx';
import { ListFilters } from '../../components/list/list-filters.tsx';
import { RecordTable } from '../../components/list/record-table.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Email } from '../../components/ui/email.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { formatMoney, moneyInput } from '../../format/money.ts';
import { paths } from '../../format/paths.ts';
import { periodOf } from '../../format/time.ts';
import { common } from '../../text/common.ts';
import { fileText as files } from '../../text/files.ts';
import { refundsText as text } from '../../text/refunds.ts';
import { statusText } from '../../text/status.ts';
import { Owed } from './owed.tsx';
import { RefundDelayButton } from './refund-delay.tsx';

const words = text.columns;

const columns: Column<ListedRefund>[] = [
  { id: 'order', header: words.order, cell: ({ orderNumber }) => orderNumber },
  {
    id: 'buyer',
    header: words.buyer,
    card: 'line',
    cell: ({ email }) => <Email address={email} />,
  },
  {
    id: 'amount',
    header: words.amount,
    isNumber: true,
    cell: ({ amount, currency }) => formatMoney(amount, currency),
  },
  {
    id: 'state',
    header: words.state,
    card: 'corner',
    cell: ({ state }) => <StatusBadge kind="refund" status={state} />,
  },
  { id: 'cause', header: words.cause, cell: (refund) => <Cause refund={refund} /> },
  { id: 'created', header: words.created, cell: ({ createdAt }) => <Instant at={createdAt} /> },
  { id: 'done', header: words.done, cell: ({ doneAt }) => <Instant at={doneAt} /> },
];

/** Why it is refunded, and what to do about one that the provider refused. */
function Cause({ refund }: { refund: ListedRefund }) {
  const { cause, reason, state, failure, isOwed, registrationIds, sendsAt } = refund;
  const isRefused = state === 'failed' || (state === 'due' && failure !== null);
  return (
    <>
      {reason ?? wordsOfCause(cause)}
      {registrationIds.length > 0 && (
        <span className="block text-muted">{text.forPeople(registrationIds.length)}</span>
      )}
      {sendsAt !== null && (
        <span className="block text-muted">
          {text.sendsAt} <Instant at={sendsAt} />
        </span>
      )}
      {isRefused && (
        <span className="block max-w-md whitespace-normal text-muted">
          {text.refused(failure)} {isOwed && text.whatToDo}
        </span>
      )}
    </>
  );
}

const wordsOfCause = (cause: string): string =>
  (text.causes as Record<string, string>)[cause] ?? cause.replaceAll('_', ' ');

const exportedIn = (zone: string) => [
  { header: files.id, value: ({ id }: ListedRefund) => id },
  { header: files.order, value: ({ orderNumber }: ListedRefund) => orderNumber },
  { header: files.buyerEmail, value: ({ email }: ListedRefund) => email },
  { header: files.currency, value: ({ currency }: ListedRefund) => currency },
  {
    header: files.amount,
    value: ({ amount, currency }: ListedRefund) => moneyInput(amount, currency),
  },
  { header: files.status, value: ({ state }: ListedRefund) => statusText.refund[state] },
  { header: files.owed, value: ({ isOwed }: ListedRefund) => (isOwed ? common.yes : common.no) },
  { header: files.why, value: ({ cause }: ListedRefund) => wordsOfCause(cause) },
  { header: files.note, value: ({ reason }: ListedRefund) => reason },
  { header: files.failure, value: ({ failure }: ListedRefund) => failure },
  timeColumn(files.created, zone, ({ createdAt }: ListedRefund) => createdAt),
  timeColumn(files.done, zone, ({ doneAt }: ListedRefund) => doneAt),
];

const all = 'all';
const states = [
  ...Object.entries(statusText.refund).map(([value, label]) => ({ value, label })),
  { value: all, label: text.allStates },
];
const forms = { state: states, from: 'day', until: 'day' } as const;

/** The states of a filter. Without one: what is owed. */
const inputOf = (state: string | undefined) =>
  state === undefined ? { onlyOwed: true } : state === all ? {} : { state };

/**
 * What the business unit owes to buyers, and what it has paid back. Without a filter: what is owed.
 */
export function RefundsPage() {
  const unit = useUnit();
  const [search, setSearch] = useSearchState(forms);
  const { state, from, until } = search;
  const zone = useZone();
  const period = periodOf(from, until, zone);
  const input = { ...inputOf(state), createdFrom: period.from, createdBefore: period.before };
  const list = useCommandList<ListedRefund>('refunds', 'refund.list', input);
  return (
    <>
      <PageHeader
        title={text.title}
        description={text.description}
        actions={
          <>
            <RefundDelayButton />
            <ExportButton<ListedRefund>
              listKey="refunds"
              path="refund.list"
              input={input}
              columns={exportedIn(zone)}
              fileName="refunds.csv"
            />
          </>
        }
      />
      <Owed />
      <ListFilters
        values={[state, from, until]}
        onClear={() =>
          setSearch({ state: undefined, from: undefined, until: undefined, pages: undefined })
        }
      >
        <FilterChip
          label={text.state}
          value={state}
          choices={states}
          unset={text.owed}
          onChange={(next) => setSearch({ state: next, pages: undefined })}
        />
        <PeriodFilter labels={text.period} days={search} onChange={setSearch} />
      </ListFilters>
      <Section isFlush>
        <RecordTable
          label={text.title}
          list={list}
          columns={columns}
          rowId={({ id }) => id}
          rowName={({ orderNumber }) => orderNumber}
          rowHref={({ eventId, orderId }) => paths.order(unit.id, eventId, orderId)}
          empty={
            state || from || until ? (
              <EmptyFiltered title={text.none} days={search} />
            ) : (
              <Empty icon={CircleCheck} title={text.emptyTitle}>
                {text.emptyText}
              </Empty>
            )
          }
        />
      </Section>
    </>
  );
}
