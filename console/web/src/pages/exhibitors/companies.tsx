import { Store } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Exhibitor, Venue } from '../../api/records.ts';
import { useEvent, useUnit } from '../../api/unit.ts';
import type { Column } from '../../components/list/column.ts';
import { CountTabs } from '../../components/list/count-tabs.tsx';
import { Cards, Table } from '../../components/list/table.tsx';
import { Tiles } from '../../components/list/tiles.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { formatCount } from '../../format/count.ts';
import { paths } from '../../format/paths.ts';
import { common } from '../../text/common.ts';
import { exhibitorsText as text } from '../../text/exhibitors.ts';
import { statusText } from '../../text/status.ts';
import { countOf, exhibitorStatuses, sortCompanies } from './exhibitors.rules.ts';

const statuses = exhibitorStatuses.map((value) => ({ value, label: statusText.exhibitor[value] }));

/** The companies by status, those that wait for a decision first, and what the exhibition has. */
export function Companies({
  exhibitors,
  venues,
  activeId,
  add,
}: {
  exhibitors: readonly Exhibitor[];
  venues: readonly Venue[];
  activeId: string | undefined;
  add: ReactNode;
}) {
  const unit = useUnit();
  const event = useEvent();
  const [search, setSearch] = useSearchState({ status: statuses });
  const Rows = useIsPhone() ? Cards : Table;
  if (exhibitors.length === 0) {
    return (
      <Section>
        <Empty guide="running-an-event#exhibitors" icon={Store} title={text.empty} action={add}>
          {text.emptyText}
        </Empty>
      </Section>
    );
  }
  const { full: _, ...filters } = search;
  const rows = sortCompanies(exhibitors, search.status);
  const tabs = [
    { value: undefined, label: common.all, count: exhibitors.length },
    ...statuses.map(({ value, label }) => ({ value, label, count: countOf(exhibitors, value) })),
  ];
  return (
    <>
      {activeId === undefined && <Figures exhibitors={exhibitors} />}
      <CountTabs
        label={text.byStatus}
        tabs={tabs}
        value={search.status}
        onChange={(status) => setSearch({ status })}
      />
      <Section isFlush>
        {rows.length === 0 ? (
          <Empty title={text.emptyFiltered} />
        ) : (
          <Rows
            label={text.views.companies}
            rows={rows}
            columns={columnsOf(new Map(venues.map(({ id, name }) => [id, name])))}
            rowId={({ id }) => id}
            rowName={({ name }) => name}
            rowHref={({ id }) => paths.exhibitor(unit.id, event.id, id)}
            search={filters}
            activeId={activeId}
          />
        )}
      </Section>
    </>
  );
}

function Figures({ exhibitors }: { exhibitors: readonly Exhibitor[] }) {
  const { figures } = text;
  const sum = (key: 'booths' | 'members') =>
    formatCount(exhibitors.reduce((total, each) => total + each[key].length, 0));
  const withoutBooth = exhibitors.filter(
    ({ status, booths }) => status === 'confirmed' && booths.length === 0,
  );
  return (
    <div className="mb-4">
      <Tiles
        label={figures.title}
        tiles={[
          {
            label: figures.pending,
            value: formatCount(countOf(exhibitors, 'pending')),
            hint: figures.pendingHint,
          },
          { label: figures.booths, value: sum('booths'), hint: figures.boothsHint },
          {
            label: figures.withoutBooth,
            value: formatCount(withoutBooth.length),
            hint: figures.withoutBoothHint,
          },
          { label: figures.staff, value: sum('members'), hint: figures.staffHint },
        ]}
      />
    </div>
  );
}

const columnsOf = (rooms: ReadonlyMap<string, string>): Column<Exhibitor>[] => {
  const words = text.columns;
  return [
    {
      id: 'company',
      header: words.company,
      isText: true,
      cell: ({ name, description }) => (
        <>
          <span className="block">{name}</span>
          {description && (
            <span className="line-clamp-1 font-normal text-muted">{description}</span>
          )}
        </>
      ),
    },
    {
      id: 'status',
      header: words.status,
      card: 'corner',
      cell: ({ status }) => <StatusBadge kind="exhibitor" status={status} />,
    },
    {
      id: 'booths',
      header: words.booths,
      cell: ({ booths }) =>
        booths.length === 0 ? (
          common.noValue
        ) : (
          <span className="block md:min-w-44">
            {booths
              .map(({ number, venueId }) => {
                const room = rooms.get(venueId ?? '');
                return room === undefined ? number : `${number} (${room})`;
              })
              .join(', ')}
          </span>
        ),
    },
    {
      id: 'staff',
      header: words.staff,
      isNumber: true,
      cell: ({ members }) => (members.length === 0 ? common.noValue : formatCount(members.length)),
    },
  ];
};
