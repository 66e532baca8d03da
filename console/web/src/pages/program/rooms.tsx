import { MapPin } from 'lucide-react';
import { useState } from 'react';
import type { Venue } from '../../api/records.ts';
import { usePermission } from '../../api/unit.ts';
import { Cards, Table } from '../../components/list/table.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { formatCount } from '../../format/count.ts';
import { common } from '../../text/common.ts';
import { programText as text } from '../../text/program.ts';
import type { Program } from './program-data.ts';
import { RoomDialog } from './room-dialog.tsx';

const words = text.columns;

export function Rooms({ program, add }: { program: Program; add: React.ReactNode }) {
  const mayWrite = usePermission('design');
  const [edited, setEdited] = useState<Venue | null>(null);
  const Rows = useIsPhone() ? Cards : Table;
  const perkOf = new Map(program.perks.map(({ id, name }) => [id, name]));
  const countOf = (room: string) =>
    program.sessions.filter(({ venueId }) => venueId === room).length;
  return (
    <Section isFlush>
      {program.venues.length === 0 ? (
        <Empty guide="running-an-event#program" icon={MapPin} title={text.noRooms} action={add}>
          {text.noRoomsText}
        </Empty>
      ) : (
        <Rows
          label={text.views.rooms}
          rows={program.venues}
          rowId={({ id }) => id}
          rowName={({ name }) => name}
          columns={[
            { id: 'name', header: words.name, cell: ({ name }) => name },
            {
              id: 'sessions',
              header: words.sessions,
              isNumber: true,
              cell: ({ id }) => formatCount(countOf(id)),
            },
            {
              id: 'gate',
              header: words.gate,
              cell: ({ perkIds }) =>
                perkIds.map((id) => perkOf.get(id) ?? id).join(', ') || text.openToAll,
            },
            {
              id: 'menu',
              header: words.menu,
              isNumber: true,
              cell: (room) =>
                mayWrite && (
                  <Button aria-label={text.edit(room.name)} onClick={() => setEdited(room)}>
                    {common.edit}
                  </Button>
                ),
            },
          ]}
        />
      )}
      {edited && <RoomDialog room={edited} program={program} onClose={() => setEdited(null)} />}
    </Section>
  );
}
