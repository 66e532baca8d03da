import { Mic } from 'lucide-react';
import { useState } from 'react';
import type { Speaker } from '../../api/records.ts';
import { usePermission } from '../../api/unit.ts';
import { Cards, Table } from '../../components/list/table.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { common } from '../../text/common.ts';
import { programText as text } from '../../text/program.ts';
import type { Program } from './program-data.ts';
import { SpeakerDialog } from './speaker-dialog.tsx';

const words = text.columns;

export function Speakers({ program, add }: { program: Program; add: React.ReactNode }) {
  const mayWrite = usePermission('design');
  const [edited, setEdited] = useState<Speaker | null>(null);
  const Rows = useIsPhone() ? Cards : Table;
  const titleOf = new Map(program.sessions.map(({ id, title }) => [id, title]));
  return (
    <Section isFlush>
      {program.speakers.length === 0 ? (
        <Empty guide="running-an-event#program" icon={Mic} title={text.noSpeakers} action={add}>
          {text.noSpeakersText}
        </Empty>
      ) : (
        <Rows
          label={text.views.speakers}
          rows={program.speakers}
          rowId={({ id }) => id}
          rowName={({ name }) => name}
          columns={[
            { id: 'name', header: words.name, cell: ({ name }) => name },
            {
              id: 'position',
              header: words.position,
              cell: ({ title }) => title || common.noValue,
            },
            {
              id: 'sessions',
              header: words.sessions,
              cell: ({ sessionIds }) =>
                sessionIds.flatMap((id) => titleOf.get(id) ?? []).join(', ') || common.noValue,
            },
            {
              id: 'menu',
              header: words.menu,
              isNumber: true,
              cell: (speaker) =>
                mayWrite && (
                  <Button aria-label={text.edit(speaker.name)} onClick={() => setEdited(speaker)}>
                    {common.edit}
                  </Button>
                ),
            },
          ]}
        />
      )}
      {edited && (
        <SpeakerDialog speaker={edited} program={program} onClose={() => setEdited(null)} />
      )}
    </Section>
  );
}
