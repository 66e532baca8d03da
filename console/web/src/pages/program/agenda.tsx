import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import type { Session } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { Empty } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { paths } from '../../format/paths.ts';
import { dayOf, formatWeekday, fromWallClock } from '../../format/time.ts';
import { programText as text } from '../../text/program.ts';
import { AgendaGrid } from './agenda-grid.tsx';
import { AgendaList } from './agenda-list.tsx';
import { conflictsOf, daysOf, zoneNameOf } from './program.rules.ts';
import type { Program } from './program-data.ts';
import { SessionDialog } from './session-dialog.tsx';
import { useMoves } from './use-moves.ts';

/** The sessions of one day: rooms and hours on wide screens, a list on a phone. */
export function Agenda({ program, add }: { program: Program; add: React.ReactNode }) {
  const unit = useUnit();
  const event = useEvent();
  const isPhone = useIsPhone();
  const isEditable = usePermission('design');
  const [search] = useSearchState();
  const [edited, setEdited] = useState<Session | null>(null);
  const { sessions, move } = useMoves(program.sessions);
  const days = daysOf(event, sessions);
  const day = days.find((each) => each === search.day) ?? days[0];
  if (sessions.length === 0) {
    return (
      <Section>
        <Empty guide="running-an-event#program" icon={CalendarDays} title={text.empty} action={add}>
          {text.emptyText}
        </Empty>
      </Section>
    );
  }
  const visible = sessions.filter(({ startsAt }) => dayOf(startsAt, event.timezone) === day);
  const noon = (each: string) => fromWallClock(`${each}T12:00`, event.timezone) ?? each;
  const ofDay = {
    sessions: visible,
    conflicts: conflictsOf(sessions, program.speakers),
    zoneName: visible[0] ? zoneNameOf(visible[0].startsAt, event.timezone) : '',
  };
  const onOpen = isEditable ? setEdited : null;
  return (
    <>
      {days.length > 1 && (
        <Tabs
          label={text.days}
          href={paths.eventPage(unit.id, event.id, 'program')}
          tabs={days.map((each) => ({
            label: formatWeekday(noon(each), event.timezone),
            search: { day: each },
            isCurrent: each === day,
          }))}
        />
      )}
      {visible.length === 0 && <p className="py-6 text-center text-muted">{text.emptyDay}</p>}
      {visible.length > 0 &&
        (isPhone ? (
          <AgendaList {...ofDay} program={program} onOpen={onOpen} />
        ) : (
          <AgendaGrid
            {...ofDay}
            program={program}
            onOpen={onOpen}
            onMove={isEditable ? move : null}
          />
        ))}
      {edited && (
        <SessionDialog
          session={edited}
          day={day}
          program={program}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
