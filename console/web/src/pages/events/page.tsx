import { CalendarPlus, Plus } from 'lucide-react';
import type { Event } from '../../api/records.ts';
import { usePermission, useUnit } from '../../api/unit.ts';
import { useUnitEvents } from '../../api/unit-zone.ts';
import { StackedBar } from '../../components/chart/bars.tsx';
import { EventStatus } from '../../components/event/event-status.tsx';
import type { Column } from '../../components/list/column.ts';
import { FilterChip, SearchField } from '../../components/list/filters.tsx';
import { ListFilters } from '../../components/list/list-filters.tsx';
import { RecordTable } from '../../components/list/record-table.tsx';
import { ButtonLink } from '../../components/ui/button.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { now } from '../../format/clock.ts';
import { formatCount } from '../../format/count.ts';
import { paths } from '../../format/paths.ts';
import { formatDays } from '../../format/time.ts';
import { common } from '../../text/common.ts';
import { eventsText } from '../../text/events.ts';
import { statusText } from '../../text/status.ts';
import { eventsWithSeats, groupEvents, type SoldSeats } from './events.rules.ts';
import { UnitGlance } from './unit-glance.tsx';
import { useSeats } from './use-seats.ts';

const words = eventsText.columns;

/** The columns; those of the seats only where they are read. */
const columnsOf = (seats: ReadonlyMap<string, SoldSeats> | null): Column<Event>[] => [
  {
    id: 'name',
    header: words.name,
    isText: true,
    cell: ({ name, startsAt, endsAt, timezone }) => (
      <>
        <span className="block">{name}</span>
        <span className="block font-normal text-muted">
          {startsAt === null ? eventsText.noDates : formatDays(startsAt, endsAt, timezone)}
          {` · ${timezone}`}
        </span>
      </>
    ),
  },
  {
    id: 'status',
    header: words.status,
    card: 'corner',
    cell: (event) => <EventStatus event={event} />,
  },
  {
    id: 'starts',
    header: words.starts,
    cell: ({ startsAt }) => (
      <span className="whitespace-nowrap">
        <Instant at={startsAt} style="relative" />
      </span>
    ),
  },
  ...(seats
    ? [
        {
          id: 'sold',
          header: words.sold,
          cell: ({ id }: Event) => <Sold seats={seats.get(id)} />,
        },
      ]
    : []),
];

function Sold({ seats }: { seats: SoldSeats | undefined }) {
  // The row is as high before the number arrives.
  if (!seats) return <span className="block h-7 min-w-40 md:w-56" />;
  const { sold, capacity } = seats;
  return (
    <span className="flex min-w-40 flex-col gap-1 md:w-56">
      <span>
        {capacity === null
          ? formatCount(sold)
          : eventsText.soldOf(formatCount(sold), formatCount(capacity))}
      </span>
      {capacity !== null && (
        <StackedBar
          total={Math.max(capacity, sold)}
          parts={[{ label: words.sold, value: sold, color: 'bg-accent' }]}
        />
      )}
    </span>
  );
}

const statuses = Object.entries(statusText.event).map(([value, label]) => ({ value, label }));

/** The list sorts and searches the events that are loaded. */
const searchedEvents = 1000;

/** The events of the business unit: those to come, those that are over, and drafts. */
export function EventsPage() {
  const unit = useUnit();
  const mayCreate = usePermission('catalog.write');
  const [search, setSearch] = useSearchState({ status: statuses });
  const list = useUnitEvents(search.status, search.q ? searchedEvents : undefined);
  const { upcoming, past, drafts } = groupEvents(list.rows, { name: search.q ?? '', now: now() });
  const seats = useSeats(upcoming.slice(0, eventsWithSeats));
  const create = (
    <ButtonLink kind="primary" icon={Plus} href={paths.newEvent(unit.id)}>
      {eventsText.create}
    </ButtonLink>
  );
  return (
    <>
      <PageHeader title={eventsText.title} actions={mayCreate && create} />
      <ListFilters
        search={
          <SearchField
            label={eventsText.search}
            value={search.q ?? ''}
            onChange={(q) => setSearch({ q, pages: undefined })}
          />
        }
        values={[search.status]}
        onClear={() => setSearch({ status: undefined, pages: undefined })}
      >
        <FilterChip
          label={common.status}
          value={search.status}
          choices={statuses}
          onChange={(status) => setSearch({ status, pages: undefined })}
        />
      </ListFilters>
      <Section isFlush>
        <RecordTable
          label={eventsText.title}
          list={list}
          columns={columnsOf(null)}
          groups={[
            { title: eventsText.groups.upcoming, rows: upcoming, columns: columnsOf(seats) },
            { title: eventsText.groups.past, rows: past },
            { title: eventsText.groups.drafts, rows: drafts },
          ]}
          rowId={({ id }) => id}
          rowName={({ name }) => name}
          rowHref={({ id }) => paths.event(unit.id, id)}
          empty={
            search.status || search.q ? (
              <Empty title={eventsText.emptyFiltered} />
            ) : (
              <Empty
                guide="quick-start"
                icon={CalendarPlus}
                title={eventsText.emptyTitle}
                action={mayCreate && create}
              >
                {eventsText.emptyText}
              </Empty>
            )
          }
        />
      </Section>
      {/* The list above it is not as high as its placeholder. */}
      <div className={list.isPending ? 'invisible' : ''}>
        <UnitGlance />
      </div>
    </>
  );
}
