import { ChevronRight, ScrollText, Terminal } from 'lucide-react';
import { useState } from 'react';
import { useCommands } from '../../api/api.commands.ts';
import { useCommandRead, useList } from '../../api/api.queries.ts';
import { type Part, partOfProcess } from '../../api/parts.ts';
import { useRecordNames } from '../../api/record-names.ts';
import type { AuditEntry, Member } from '../../api/records.ts';
import { usePermission, useUnit, useZone } from '../../api/unit.ts';
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
import { ListFilters } from '../../components/list/list-filters.tsx';
import { RecordTable } from '../../components/list/record-table.tsx';
import { IconButton } from '../../components/ui/button.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { type SearchState, useSearchState } from '../../components/ui/use-search-state.ts';
import { formatTime, periodOf } from '../../format/time.ts';
import { auditText as text } from '../../text/audit.ts';
import { common } from '../../text/common.ts';
import { errorText } from '../../text/errors.ts';
import {
  actionOf,
  actorsOf,
  byDay,
  initialsOf,
  plainSentence,
  recordFilter,
  sentenceOf,
  whoOf,
} from './audit.rules.ts';
import { EntryDialog } from './entry-dialog.tsx';
import { namedRecordsOf } from './records.tsx';
import { Sentence } from './sentence.tsx';
import { useNamesOnce } from './use-names-once.ts';

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
  const zone = useZone();
  const isPhone = useIsPhone();
  const period = periodOf(search.from, search.to, zone);
  const query = {
    actorId: search.actor,
    operation: search.operation,
    ...recordFilter(search.record),
    from: period.from,
    to: period.before,
  };
  const list = useList<AuditEntry>('entries', 'audit', query);
  const { names, isPending } = useRecordNames(namedRecordsOf(list.rows));
  const isNamed = useNamesOnce(JSON.stringify(query), !list.isPending, !isPending);
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  const isFiltered = Object.keys(forms).some((name) => search[name]);
  return (
    <>
      <PageHeader
        title={text.title}
        description={`${text.description} ${common.inZone(zone)}.`}
        actions={
          <ExportButton<AuditEntry>
            listKey="entries"
            path="audit"
            query={query}
            fileName="audit-log.csv"
            columns={exportColumnsIn(zone)}
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
          list={{ ...list, isPending: !isNamed }}
          columns={columnsOf({ unitId: unit.id, names, zone, isPhone, onOpen: setOpened })}
          hasHiddenHeader
          groups={byDay(list.rows, zone)}
          rowId={({ id }) => id}
          rowName={(entry) => plainSentence(sentenceOf(entry), names)}
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
    <ListFilters
      search={
        <SearchField
          label={text.record}
          value={search.record ?? ''}
          onChange={(record) => onChange({ record })}
        />
      }
      values={[search.actor, search.operation, search.from, search.to]}
      onClear={() =>
        onChange({ actor: undefined, operation: undefined, from: undefined, to: undefined })
      }
    >
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
    </ListFilters>
  );
}

/**
 * The columns of a day: the time, who, and what. On a phone the sentence is the title of the card.
 */
function columnsOf({
  unitId,
  names,
  zone,
  isPhone,
  onOpen,
}: {
  unitId: string;
  names: ReadonlyMap<string, string>;
  zone: string;
  isPhone: boolean;
  onOpen: (entry: AuditEntry) => void;
}): Column<AuditEntry>[] {
  const { columns: headers } = text;
  const what: Column<AuditEntry> = {
    id: 'action',
    header: headers.action,
    isText: true,
    cell: (entry) => <Sentence entry={entry} unitId={unitId} names={names} />,
  };
  const open: Column<AuditEntry> = {
    id: 'open',
    header: '',
    isNumber: true,
    card: 'corner',
    cell: (entry) => (
      // It lies below the links of the sentence.
      <IconButton
        icon={ChevronRight}
        label={text.details(plainSentence(sentenceOf(entry), names))}
        title=""
        className="before:absolute before:inset-0"
        onClick={() => onOpen(entry)}
      />
    ),
  };
  if (isPhone) {
    const by: Column<AuditEntry> = {
      id: 'by',
      header: headers.actor,
      card: 'line',
      cell: (entry) => `${whoOf(entry)} · ${formatTime(entry.at, zone)}`,
    };
    return [what, by, open];
  }
  return [
    { id: 'at', header: headers.at, cell: ({ at }) => formatTime(at, zone) },
    { id: 'actor', header: headers.actor, cell: (entry) => <Actor entry={entry} /> },
    what,
    open,
  ];
}

/** Who has done it, with a mark that is quicker to recognize than a name. */
function Actor({ entry }: { entry: AuditEntry }) {
  const name = whoOf(entry);
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      <span
        aria-hidden
        className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-[0.625rem] font-semibold text-accent-ink"
      >
        {entry.actor.type === 'operator' ? initialsOf(name) : <Terminal className="size-3.5" />}
      </span>
      {name}
    </span>
  );
}

const exportColumnsIn = (zone: string) => [
  timeColumn('at', zone, ({ at }: AuditEntry) => at),
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
