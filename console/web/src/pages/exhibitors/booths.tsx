import { Store } from 'lucide-react';
import type { Exhibitor, Venue } from '../../api/records.ts';
import { useEvent, useUnit } from '../../api/unit.ts';
import { Cards, Table } from '../../components/list/table.tsx';
import { ButtonLink } from '../../components/ui/button.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { paths } from '../../format/paths.ts';
import { common } from '../../text/common.ts';
import { exhibitorsText as text } from '../../text/exhibitors.ts';
import { type BoothRow, boothOrders, sortBooths } from './exhibitors.rules.ts';

const words = text.columns;

/** The booths of all companies, in the order of a column. */
export function Booths({
  exhibitors,
  venues,
}: {
  exhibitors: readonly Exhibitor[];
  venues: readonly Venue[];
}) {
  const unit = useUnit();
  const event = useEvent();
  const [search, setSearch] = useSearchState();
  const order = boothOrders.find((each) => each === search.sort) ?? 'number';
  const rooms = new Map(venues.map(({ id, name }) => [id, name]));
  const rows = sortBooths(exhibitors, rooms, order);
  const Rows = useIsPhone() ? Cards : Table;
  if (rows.length === 0) {
    return (
      <Section>
        <Empty
          guide="running-an-event#exhibitors"
          icon={Store}
          title={text.noBooths}
          action={
            <ButtonLink href={paths.eventPage(unit.id, event.id, 'exhibitors')}>
              {text.toCompanies}
            </ButtonLink>
          }
        >
          {text.noBoothsText}
        </Empty>
      </Section>
    );
  }
  return (
    <>
      <label className="mb-3 flex items-center gap-2">
        {text.sortBy}
        <select
          className="control"
          value={order}
          onChange={(change) => setSearch({ sort: change.target.value })}
        >
          {boothOrders.map((each) => (
            <option key={each} value={each}>
              {words[each]}
            </option>
          ))}
        </select>
      </label>
      <Section isFlush>
        <Rows<BoothRow>
          label={text.booths}
          rows={rows}
          rowId={({ id }) => id}
          rowName={({ number }) => number}
          rowHref={({ exhibitorId }) => paths.exhibitor(unit.id, event.id, exhibitorId)}
          search={search}
          columns={[
            { id: 'number', header: words.number, cell: ({ number }) => number },
            { id: 'company', header: words.company, cell: ({ company }) => company },
            { id: 'room', header: words.room, cell: ({ room }) => room || common.noValue },
            { id: 'type', header: words.type, cell: ({ type }) => type },
          ]}
        />
      </Section>
    </>
  );
}
