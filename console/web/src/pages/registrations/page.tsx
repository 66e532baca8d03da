import { useParams } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { useCommandList, useList, useRefresh } from '../../api/api.queries.ts';
import { useEventPath, useForm, useTicketTypes } from '../../api/event-data.ts';
import type { Registration } from '../../api/records.ts';
import { useEvent, useMayReadEmails, usePermission, useUnit } from '../../api/unit.ts';
import { ListWithDetail } from '../../components/detail/side-panel.tsx';
import type { Column } from '../../components/list/column.ts';
import { useColumns } from '../../components/list/columns.tsx';
import { ExportButton } from '../../components/list/export-button.tsx';
import {
  EmptyFiltered,
  FilterChip,
  PeriodFilter,
  SearchField,
  searchForm,
} from '../../components/list/filters.tsx';
import { RecordTable } from '../../components/list/record-table.tsx';
import { NothingFound, SimilarNote } from '../../components/list/search-result.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { ButtonLink } from '../../components/ui/button.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { paths } from '../../format/paths.ts';
import { periodOf } from '../../format/time.ts';
import { common } from '../../text/common.ts';
import { registrationsText as text } from '../../text/registrations.ts';
import { statusText } from '../../text/status.ts';
import { ticketsText } from '../../text/tickets.ts';
import { BulkActions } from './bulk-actions.tsx';
import { checkedInColumn, columnsOf, orderColumns, purposeFiles } from './export-columns.ts';
import { Person } from './person.tsx';
import { PrintBadges } from './print-badges.tsx';
import { partsOf } from './registrations.rules.ts';
import { CheckedIn, OrderNumber } from './row-cells.tsx';

const statuses = Object.entries(statusText.registration).map(([value, label]) => ({
  value,
  label,
}));

/** The list of registrations, and the page of one person beside it. */
export function RegistrationsPage() {
  const unit = useUnit();
  const event = useEvent();
  const { registrationId } = useParams({ strict: false }) as { registrationId?: string };
  // A person who has loaded more rows reads them, and many pages would be read again.
  const [{ pages }] = useSearchState();
  useRefresh({ isEnabled: pages === undefined });
  return (
    <ListWithDetail
      label={text.person}
      listHref={paths.eventPage(unit.id, event.id, 'registrations')}
      list={<Registrations activeId={registrationId} />}
      detail={registrationId ? <Person key={registrationId} id={registrationId} /> : null}
    />
  );
}

const searchCommand = 'registration.search';
const filterNames = ['status', 'type', 'from', 'until'] as const;
const noFilters = Object.fromEntries(filterNames.map((name) => [name, undefined]));

function useRegistrations() {
  const event = useEvent();
  const path = `${useEventPath()}/registrations`;
  const types = useTicketTypes().data?.ticketTypes.map(({ id, name }) => ({
    value: id,
    label: name,
  }));
  const [search, setSearch] = useSearchState({
    q: searchForm,
    status: statuses,
    type: types,
    from: 'day',
    until: 'day',
  });
  const { q, status, type, from, until } = search;
  const isSearch = (q ?? '').trim() !== '';
  const { from: registeredFrom, before: registeredBefore } = periodOf(from, until, event.timezone);
  const filter = { status, registrationTypeId: type, registeredFrom, registeredBefore };
  const all = useList<Registration>('registrations', path, filter, { isEnabled: !isSearch });
  const input = { eventId: event.id, query: q?.trim(), ...filter };
  const found = useCommandList<Registration>('registrations', searchCommand, input, {
    isEnabled: isSearch,
  });
  // A file has the rows that the list shows.
  const exported = isSearch ? { path: searchCommand, input } : { path, query: filter };
  const list = isSearch ? found : all;
  return { search, setSearch, types: types ?? [], list, exported };
}

function Registrations({ activeId }: { activeId: string | undefined }) {
  const unit = useUnit();
  const event = useEvent();
  const mayDecide = usePermission('people.write');
  const mayPrint = usePermission('badges');
  const { search, setSearch, types, list, exported } = useRegistrations();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const nameOf = new Map(types.map(({ value, label }) => [value, label]));
  const { visible, picker } = useColumns('registrations', useListColumns(list.rows, nameOf));
  const files = useFiles(nameOf);
  const { full: _, ...kept } = search;
  const query = search.q?.trim() ?? '';
  const isFiltered = filterNames.some((name) => search[name]);
  return (
    <>
      <PageHeader
        title={text.title}
        actions={
          <>
            {picker}
            {mayPrint && <PrintBadges />}
            <ExportButton<Registration> listKey="registrations" {...exported} {...files} />
          </>
        }
      />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField
          label={text.search}
          value={search.q ?? ''}
          onChange={(q) => setSearch({ q, pages: undefined })}
        />
        <FilterChip
          label={common.status}
          value={search.status}
          choices={statuses}
          onChange={(status) => setSearch({ status, pages: undefined })}
        />
        <FilterChip
          label={text.type}
          value={search.type}
          choices={types}
          onChange={(type) => setSearch({ type, pages: undefined })}
        />
        <PeriodFilter labels={text.period} days={search} onChange={setSearch} />
      </div>
      <Section isFlush>
        <SimilarNote kind="people" list={list} query={query} />
        <RecordTable
          label={text.title}
          list={list}
          columns={visible}
          rowId={({ id }) => id}
          rowName={({ name, email, id }) => name ?? email ?? id}
          rowHref={({ id }) => paths.registration(unit.id, event.id, id)}
          search={kept}
          activeId={activeId}
          {...(mayDecide && { selection: { selected, onChange: setSelected } })}
          empty={
            query !== '' ? (
              <NothingFound
                kind="people"
                query={query}
                onRemoveFilters={isFiltered ? () => setSearch(noFilters) : null}
              />
            ) : isFiltered ? (
              <EmptyFiltered title={text.emptyFiltered} days={search} />
            ) : (
              <Empty
                guide="quick-start#register-a-person"
                icon={Users}
                title={text.emptyTitle}
                action={
                  <ButtonLink href={paths.eventPage(unit.id, event.id, 'tickets')}>
                    {ticketsText.goTo}
                  </ButtonLink>
                }
              >
                {text.emptyText}
              </Empty>
            )
          }
        />
      </Section>
      <BulkActions
        selected={list.rows.filter(({ id }) => selected.has(id))}
        onClear={() => setSelected(new Set())}
      />
    </>
  );
}

type Names = ReadonlyMap<string, string>;

const ticketOf = (names: Names, { registrationTypeId: id }: Registration): string =>
  id === null ? common.noValue : (names.get(id) ?? id);

/**
 * The columns of the list. Emails, orders and check-ins are columns only for the roles that read
 * them.
 */
function useListColumns(rows: readonly Registration[], names: Names): Column<Registration>[] {
  const mayReadEmails = useMayReadEmails();
  const mayReadOrders = usePermission('orders.list');
  const mayReadCheckins = usePermission('checkins.read');
  const people = partsOf(rows.map(({ id }) => id));
  const orders = partsOf(rows.flatMap(({ orderId }) => orderId ?? []));
  const words = text.columns;
  const email: Column<Registration> = {
    id: 'email',
    header: words.email,
    isForWide: true,
    cell: (row) => row.email ?? common.noValue,
  };
  const order: Column<Registration> = {
    id: 'order',
    header: words.order,
    cell: ({ orderId }) =>
      orderId === null ? (
        common.noValue
      ) : (
        <OrderNumber id={orderId} orderIds={orders.get(orderId) ?? []} />
      ),
  };
  const checkedIn: Column<Registration> = {
    id: 'checkedIn',
    header: words.checkedIn,
    cell: ({ id }) => <CheckedIn id={id} registrationIds={people.get(id) ?? []} />,
  };
  return [
    { id: 'name', header: words.name, cell: ({ name }) => name ?? text.unnamed },
    ...(mayReadEmails ? [email] : []),
    { id: 'ticket', header: words.ticket, cell: (row) => ticketOf(names, row) },
    {
      id: 'status',
      header: words.status,
      cell: ({ status }) => <StatusBadge kind="registration" status={status} />,
    },
    ...(mayReadOrders ? [order] : []),
    ...(mayReadCheckins ? [checkedIn] : []),
    {
      id: 'registered',
      header: words.registered,
      isForWide: true,
      cell: ({ registeredAt }) => <Instant at={registeredAt} style="day" />,
    },
    {
      id: 'badge',
      header: words.badge,
      isOptional: true,
      cell: ({ checkinCode }) => <code className="text-xs">{checkinCode}</code>,
    },
  ];
}

/**
 * The file of the list, and those for a purpose. Emails, the numbers of orders, the answers and the
 * times of check-ins are in those of the roles that read them.
 */
function useFiles(names: Names) {
  const { id: eventId, publicId, timezone: zone } = useEvent();
  const hasEmails = useMayReadEmails();
  const mayReadOrders = usePermission('orders.list');
  const mayReadCheckins = usePermission('checkins.read');
  const questions = useForm().data?.questions ?? [];
  const byTicket = (row: Registration) => ticketOf(names, row);
  return {
    fileName: `registrations-${publicId}.csv`,
    columns: [
      ...columnsOf({ ticketOf: byTicket, hasEmails, zone }),
      ...(mayReadOrders ? [orderColumns(eventId, questions)] : []),
      ...(mayReadCheckins ? [checkedInColumn(eventId, zone)] : []),
    ],
    others: mayReadOrders
      ? purposeFiles({ eventId, publicId, ticketOf: byTicket, questions, labels: text.files })
      : [],
  };
}
