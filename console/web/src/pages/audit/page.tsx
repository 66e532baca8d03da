import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { useCommands } from '../../api/api.commands.ts';
import { useCommandRead, useList } from '../../api/api.queries.ts';
import { type Part, partOfProcess } from '../../api/parts.ts';
import { useRecordNames } from '../../api/record-names.ts';
import type { AuditEntry, Member } from '../../api/records.ts';
import { usePermission, useUnit } from '../../api/unit.ts';
import type { Column } from '../../components/list/column.ts';
import { timeColumn } from '../../components/list/csv-columns.ts';
import { ExportButton } from '../../components/list/export-button.tsx';
import {
  EmptyFiltered,
  FilterChip,
  PeriodFilter,
  SearchField,
  searchForm,
} from '../../components/list/filters.tsx';
import { RecordTable } from '../../components/list/record-table.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { NoValue } from '../../components/ui/no-value.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { type SearchState, useSearchState } from '../../components/ui/use-search-state.ts';
import { fieldWords } from '../../format/field-words.ts';
import { formatTime, periodOf, viewerZone } from '../../format/time.ts';
import { auditText as text } from '../../text/audit.ts';
import { errorText } from '../../text/errors.ts';
import { actionOf, actorsOf, byDay, recordFilter, whoOf } from './audit.rules.ts';
import { EntryDialog } from './entry-dialog.tsx';
import { Records, shownRecordsOf } from './records.tsx';

const forms = {
  actor: searchForm,
  operation: { maxLength: 100 },
  record: searchForm,
  from: 'day',
  to: 'day',
} as const;

/** What people have changed or tried in the business unit. The filters are in the address. */
export function AuditPage() {
  const unit = useUnit();
  const [search, setSearch] = useSearchState(forms);
  const filter = (change: SearchState) => setSearch({ ...change, pages: undefined });
  const period = periodOf(search.from, search.to, viewerZone());
  const query = {
    actorId: search.actor,
    operation: search.operation,
    ...recordFilter(search.record),
    from: period.from,
    to: period.before,
  };
  const list = useList<AuditEntry>('entries', 'audit', query);
  const names = useRecordNames(shownRecordsOf(list.rows));
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  const isFiltered = Object.keys(forms).some((name) => search[name]);
  return (
    <>
      <PageHeader
        title={text.title}
        description={text.description}
        actions={
          <ExportButton<AuditEntry>
            listKey="entries"
            path="audit"
            query={query}
            fileName="audit-log.csv"
            columns={exportColumns}
          />
        }
      />
      <Filters search={search} onChange={filter} shown={list.rows} />
      {list.incomplete.length > 0 && (
        <p role="status" className="mb-3 rounded-md bg-amber-soft px-3 py-2 text-amber">
          {text.incomplete(partNames(list.incomplete))}
        </p>
      )}
      <Section isFlush>
        <RecordTable
          label={text.title}
          list={list}
          columns={columnsOf(unit.id, names, setOpened)}
          groups={byDay(list.rows, viewerZone())}
          rowId={({ id }) => id}
          rowName={({ operation }) => actionOf(operation)}
          empty={
            isFiltered ? (
              <EmptyFiltered title={text.emptyFiltered} days={search} last="to" />
            ) : (
              <Empty guide="running-an-event#audit-log" icon={ScrollText} title={text.empty}>
                {text.emptyText}
              </Empty>
            )
          }
        />
      </Section>
      {opened && (
        <EntryDialog
          entry={opened}
          names={names}
          onFilter={() => filter({ operation: opened.operation })}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

const partNames = (processes: readonly string[]): string =>
  [...new Set(processes.map((name): Part => partOfProcess(name)))]
    .map((part) => errorText.parts[part])
    .join(', ');

function Filters({
  search,
  onChange,
  shown,
}: {
  search: SearchState;
  onChange: (change: SearchState) => void;
  shown: readonly AuditEntry[];
}) {
  const mayList = usePermission('members');
  const members = useCommandRead<{ members: Member[] }>('member.list', {}, { isEnabled: mayList });
  const commands = useCommands();
  const actors = actorsOf(shown, members.data?.members ?? [], search.actor);
  const operations = new Set([
    ...(search.operation ? [search.operation] : []),
    ...shown.map(({ operation }) => operation),
    ...(commands.data ?? []).flatMap(({ operationId, isRead }) => (isRead ? [] : [operationId])),
  ]);
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <SearchField
        label={text.record}
        value={search.record ?? ''}
        onChange={(record) => onChange({ record })}
      />
      <FilterChip
        label={text.actor}
        value={search.actor}
        choices={actors}
        onChange={(actor) => onChange({ actor })}
      />
      <FilterChip
        label={text.action}
        value={search.operation}
        choices={[...operations]
          .map((operation) => ({ value: operation, label: actionOf(operation) }))
          .toSorted((one, other) => one.label.localeCompare(other.label))}
        onChange={(operation) => onChange({ operation })}
      />
      <PeriodFilter labels={text.period} days={search} last="to" onChange={onChange} />
    </div>
  );
}

type Names = ReadonlyMap<string, string>;

const columnsOf = (
  unitId: string,
  names: Names,
  onOpen: (entry: AuditEntry) => void,
): Column<AuditEntry>[] => {
  const headers = text.columns;
  return [
    {
      id: 'at',
      header: headers.at,
      cell: ({ at }) => formatTime(at, viewerZone()),
    },
    { id: 'actor', header: headers.actor, cell: whoOf },
    {
      id: 'action',
      header: headers.action,
      cell: (entry) => (
        <button
          type="button"
          title={text.details}
          className="rounded-sm text-left font-medium hover:underline touch:-my-3 touch:py-3"
          onClick={() => onOpen(entry)}
        >
          {actionOf(entry.operation)}
        </button>
      ),
    },
    {
      id: 'records',
      header: headers.records,
      cell: (entry) => <Records entry={entry} unitId={unitId} names={names} />,
    },
    {
      id: 'fields',
      header: headers.fields,
      isForWide: true,
      cell: ({ fields }) =>
        fields.length === 0 ? (
          <NoValue />
        ) : (
          <span className="text-muted">{fields.map(fieldWords).join(', ')}</span>
        ),
    },
    {
      id: 'result',
      header: headers.result,
      cell: ({ result, reason }) => (
        <span className="flex flex-wrap items-center gap-1.5">
          <StatusBadge kind="audit" status={result} />
          {reason && <span className="text-muted">{reason}</span>}
        </span>
      ),
    },
  ];
};

const exportColumns = [
  timeColumn('at', viewerZone(), ({ at }: AuditEntry) => at),
  { header: 'who', value: whoOf },
  { header: 'actor', value: ({ actor }: AuditEntry) => `${actor.type} ${actor.id ?? ''}`.trim() },
  { header: 'operation', value: ({ operation }: AuditEntry) => operation },
  { header: 'event', value: ({ eventId }: AuditEntry) => eventId },
  { header: 'records', value: ({ records }: AuditEntry) => records.join(' ') },
  { header: 'fields', value: ({ fields }: AuditEntry) => fields.join(' ') },
  { header: 'result', value: ({ result }: AuditEntry) => result },
  { header: 'reason', value: ({ reason }: AuditEntry) => reason },
  { header: 'request', value: ({ requestId }: AuditEntry) => requestId },
];
