import { CalendarPlus, Plus } from 'lucide-react';
import { useList } from '../../api/queries.ts';
import type { Event } from '../../api/records.ts';
import { usePermission, useUnit } from '../../api/unit.ts';
import type { Column } from '../../components/list/column.ts';
import { FilterChip } from '../../components/list/filters.tsx';
import { RecordTable } from '../../components/list/record-table.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { ButtonLink } from '../../components/ui/button.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { paths } from '../../format/paths.ts';
import { formatDays } from '../../format/time.ts';
import { common } from '../../text/common.ts';
import { eventsText } from '../../text/events.ts';
import { statusText } from '../../text/status.ts';

const words = eventsText.columns;

const columns: Column<Event>[] = [
  { id: 'name', header: words.name, cell: ({ name }) => name },
  {
    id: 'status',
    header: words.status,
    cell: ({ status }) => <StatusBadge kind="event" status={status} />,
  },
  {
    id: 'dates',
    header: words.dates,
    cell: ({ startsAt, endsAt, timezone }) =>
      startsAt === null ? (
        <span className="text-muted">{eventsText.noDates}</span>
      ) : (
        formatDays(startsAt, endsAt, timezone)
      ),
  },
  { id: 'timezone', header: words.timezone, cell: ({ timezone }) => timezone },
  {
    id: 'created',
    header: words.created,
    cell: ({ createdAt, timezone }) => <Instant at={createdAt} zone={timezone} style="day" />,
  },
];

const statuses = Object.entries(statusText.event).map(([value, label]) => ({ value, label }));

/** The events of the business unit, newest first. */
export function EventsPage() {
  const unit = useUnit();
  const mayCreate = usePermission('catalog.write');
  const [search, setSearch] = useSearchState();
  const list = useList<Event>('events', 'v1/events', { status: search.status });
  const create = (
    <ButtonLink kind="primary" icon={Plus} href={paths.newEvent(unit.id)}>
      {eventsText.create}
    </ButtonLink>
  );
  return (
    <>
      <PageHeader title={eventsText.title} actions={mayCreate && create} />
      <div className="mb-3 flex flex-wrap gap-2">
        <FilterChip
          label={common.status}
          value={search.status}
          choices={statuses}
          onChange={(status) => setSearch({ status, pages: undefined })}
        />
      </div>
      <Section isFlush>
        <RecordTable
          label={eventsText.title}
          list={list}
          columns={columns}
          rowId={({ id }) => id}
          rowName={({ name }) => name}
          rowHref={({ id }) => paths.event(unit.id, id)}
          empty={
            search.status ? (
              <Empty title={eventsText.emptyFiltered} />
            ) : (
              <Empty icon={CalendarPlus} title={eventsText.emptyTitle} action={mayCreate && create}>
                {eventsText.emptyText}
              </Empty>
            )
          }
        />
      </Section>
    </>
  );
}
