import { useParams } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { useRefresh } from '../../api/api.queries.ts';
import type { Query } from '../../api/client.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { Registration } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { ListWithDetail } from '../../components/detail/side-panel.tsx';
import { TicketsLink } from '../../components/event/tickets-link.tsx';
import { useColumns } from '../../components/list/columns.tsx';
import { ExportButton } from '../../components/list/export-button.tsx';
import { FilterChip, PeriodFilter, SearchField } from '../../components/list/filters.tsx';
import { ListFilters } from '../../components/list/list-filters.tsx';
import { RecordTable } from '../../components/list/record-table.tsx';
import { SavedViews } from '../../components/list/saved-views.tsx';
import { EmptyList, SimilarNote } from '../../components/list/search-result.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { paths } from '../../format/paths.ts';
import { registrationListText as listText } from '../../text/registration-list.ts';
import { registrationsText as text } from '../../text/registrations.ts';
import { AddPerson } from './add-person.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { nextSort, sortChoices, sortOf } from './list.rules.ts';
import { useFiles, useListColumns } from './list-columns.tsx';
import { Person } from './person.tsx';
import { PrintBadges } from './print-badges.tsx';
import { SelectAll } from './select-all.tsx';
import { StatusTabs } from './status-tabs.tsx';
import { maxSelected, useRegistrationList } from './use-registration-list.ts';

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

type List = ReturnType<typeof useRegistrationList>;

function Registrations({ activeId }: { activeId: string | undefined }) {
  const unit = useUnit();
  const event = useEvent();
  const mayDecide = usePermission('people.write');
  const mayAdd = usePermission('register');
  const mayPrint = usePermission('badges');
  const found = useRegistrationList();
  const { search, setSearch, types, questions, list, isSearch, total } = found;
  const selection = useSelection(found);
  const all = useListColumns(list.rows, types, questions);
  const { visible, picker } = useColumns('registrations', all);
  const href = paths.eventPage(unit.id, event.id, 'registrations');
  const { full: _, ...kept } = search;
  const sort = sortOf(search.sort);
  return (
    <>
      <PageHeader
        title={text.title}
        isCompact
        actions={
          <>
            <SavedViews list={`registrations:${event.id}`} href={href} search={search} />
            {picker}
            {mayPrint && <PrintBadges />}
            <ExportList found={found} />
            {mayAdd && <AddPerson />}
          </>
        }
      />
      <Filters found={found} />
      <Section isFlush>
        <SimilarNote kind="people" list={list} query={search.q?.trim() ?? ''} />
        <RecordTable
          label={text.title}
          list={list}
          columns={visible}
          total={total}
          rowId={({ id }) => id}
          rowName={({ name, email, id }) => name ?? email ?? id}
          rowHref={({ id }) => paths.registration(unit.id, event.id, id)}
          search={kept}
          activeId={activeId}
          {...((mayDecide || mayPrint) && { selection })}
          sorting={
            isSearch
              ? undefined
              : {
                  by: sort.sort,
                  direction: sort.direction,
                  onSort: (by) => setSearch({ sort: nextSort(search.sort, by), pages: undefined }),
                }
          }
          empty={<NoPeople found={found} />}
        />
      </Section>
      <BulkActions
        selected={selection.people}
        types={types}
        selectAll={
          <SelectAll
            loaded={list.rows}
            selected={selection.people.length}
            total={total}
            hasMore={list.hasMore}
            readAll={found.readAll}
            onSelect={selection.select}
          />
        }
        exportSelected={
          <ExportList
            found={found}
            label={listText.bulk.export(selection.people.length)}
            isIncluded={({ id }) => selection.selected.has(id)}
          />
        }
        onClear={() => selection.select([])}
      />
    </>
  );
}

/**
 * The people who are selected. They stay selected while more rows are loaded; with other filters,
 * only those that the list shows.
 */
function useSelection({ list, command, input }: List) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const filters = JSON.stringify([command, input]);
  const [beyond, setBeyond] = useState<{ filters: string; people: readonly Registration[] }>({
    filters,
    people: [],
  });
  const known = [...(beyond.filters === filters ? beyond.people : []), ...list.rows];
  const people = [...new Map(known.map((person) => [person.id, person])).values()];
  return {
    selected,
    onChange: setSelected,
    people: people.filter(({ id }) => selected.has(id)),
    select: (chosen: readonly Registration[]) => {
      setBeyond({ filters, people: chosen });
      setSelected(new Set(chosen.map(({ id }) => id)));
    },
  };
}

function Filters({ found }: { found: List }) {
  const { search, setSearch, types, answers, isSearch, counts, everybody } = found;
  const isPhone = useIsPhone();
  const set = (name: string) => (value: string | undefined) =>
    setSearch({ [name]: value, pages: undefined });
  const status = (
    <StatusTabs
      value={search.status}
      counts={counts}
      everybody={everybody}
      onChange={set('status')}
    />
  );
  return (
    <>
      {!isPhone && status}
      <ListFilters
        search={
          <SearchField
            label={text.search}
            value={search.q ?? ''}
            // A search finds people in an order of its own.
            onChange={(q) => setSearch({ q, sort: undefined, pages: undefined })}
          />
        }
        values={filterNames.map((name) => search[name])}
        onClear={() => setSearch({ ...noFilters, pages: undefined })}
      >
        {isPhone && status}
        <FilterChip
          label={text.type}
          value={search.type}
          choices={types.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={set('type')}
        />
        {answers.length > 0 && (
          <FilterChip
            label={listText.answers}
            value={search.answer}
            choices={answers}
            onChange={set('answer')}
          />
        )}
        <PeriodFilter labels={text.period} days={search} onChange={setSearch} />
        {isPhone && !isSearch && (
          <FilterChip
            label={listText.sort}
            value={search.sort}
            unset={listText.newest}
            choices={sortChoices.map(({ value }) => ({ value, label: listText.orders[value] }))}
            onChange={set('sort')}
          />
        )}
      </ListFilters>
    </>
  );
}

const filterNames = ['status', 'type', 'from', 'until', 'answer'] as const;
const noFilters = Object.fromEntries(filterNames.map((name) => [name, undefined]));

/** Why the list has no rows. */
function NoPeople({ found: { search, setSearch } }: { found: List }) {
  return (
    <EmptyList
      kind="people"
      query={search.q?.trim() ?? ''}
      isFiltered={filterNames.some((name) => search[name])}
      filteredTitle={text.emptyFiltered}
      days={search}
      onRemoveFilters={() => setSearch(noFilters)}
    >
      <Empty
        guide="quick-start#register-a-person"
        icon={Users}
        title={text.emptyTitle}
        action={<TicketsLink />}
      >
        {text.emptyText}
      </Empty>
    </EmptyList>
  );
}

/** Saves the rows of the list as a file, or those that are selected. */
function ExportList({
  found: { isSearch, search, types, questions, command, input, total },
  label,
  isIncluded,
}: {
  found: List;
  label?: string;
  isIncluded?: (person: Registration) => boolean;
}) {
  const path = `${useEventPath()}/registrations`;
  const { others, ...file } = useFiles(types, questions);
  const { eventId: _, sort: __, direction: ___, ...query } = input;
  // A command is needed only for what must not be in an address.
  const exported =
    isSearch || search.answer
      ? { path: command, input, ...(!isSearch && { inputPageSize: maxSelected }) }
      : { path, query: query as Query };
  return (
    <ExportButton<Registration>
      listKey="registrations"
      {...exported}
      {...file}
      total={total}
      {...(label === undefined ? { others } : { label })}
      {...(isIncluded && { isIncluded })}
    />
  );
}
