import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { Button } from '../../components/ui/button.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader } from '../../components/ui/surface.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { paths } from '../../format/paths.ts';
import { programText as text } from '../../text/program.ts';
import { Agenda } from './agenda.tsx';
import { daysOf } from './program.rules.ts';
import { type Program, useProgram } from './program-data.ts';
import { RoomDialog } from './room-dialog.tsx';
import { Rooms } from './rooms.tsx';
import { SessionDialog } from './session-dialog.tsx';
import { SpeakerDialog } from './speaker-dialog.tsx';
import { Speakers } from './speakers.tsx';

type View = keyof typeof text.views;
const views = Object.keys(text.views) as View[];
const adds = { agenda: text.addSession, speakers: text.addSpeaker, rooms: text.addRoom };

/** The agenda with its rooms and speakers. */
export function ProgramPage() {
  const unit = useUnit();
  const event = useEvent();
  const { program, error, retry } = useProgram();
  const mayWrite = usePermission('design');
  const [search] = useSearchState();
  const [isAdding, setAdding] = useState(false);
  const view = views.find((each) => each === search.view) ?? 'agenda';
  const add = mayWrite && program && (
    <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
      {adds[view]}
    </Button>
  );
  return (
    <>
      <PageHeader title={text.title} actions={add} />
      <Tabs
        label={text.viewsLabel}
        href={paths.eventPage(unit.id, event.id, 'program')}
        tabs={views.map((each) => ({
          label: text.views[each],
          search: each === 'agenda' ? {} : { view: each },
          isCurrent: each === view,
        }))}
      />
      {error && <ErrorNote error={error} onRetry={retry} />}
      {!program && !error && <SkeletonRows />}
      {program && <ViewOf view={view} program={program} add={add} />}
      {program && isAdding && (
        <AddDialog view={view} program={program} onClose={() => setAdding(false)} />
      )}
    </>
  );
}

function ViewOf({ view, program, add }: { view: View; program: Program; add: React.ReactNode }) {
  if (view === 'speakers') return <Speakers program={program} add={add} />;
  if (view === 'rooms') return <Rooms program={program} add={add} />;
  return <Agenda program={program} add={add} />;
}

function AddDialog({
  view,
  program,
  onClose,
}: {
  view: View;
  program: Program;
  onClose: () => void;
}) {
  const event = useEvent();
  const [search] = useSearchState({ day: 'day' });
  if (view === 'speakers') {
    return <SpeakerDialog speaker={null} program={program} onClose={onClose} />;
  }
  if (view === 'rooms') return <RoomDialog room={null} program={program} onClose={onClose} />;
  const day = search.day ?? daysOf(event, program.sessions)[0];
  return <SessionDialog session={null} day={day} program={program} onClose={onClose} />;
}
