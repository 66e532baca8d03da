import { Lock, TriangleAlert } from 'lucide-react';
import type { Session } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { Badge } from '../../components/ui/badge.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatTime } from '../../format/time.ts';
import { common } from '../../text/common.ts';
import { programText as text } from '../../text/program.ts';
import { type Conflict, inOrderOfTime } from './program.rules.ts';
import type { Program } from './program-data.ts';

/** The sessions of a day in the order of time, for phones. */
export function AgendaList({
  sessions,
  zoneName,
  conflicts,
  program,
  onOpen,
}: {
  zoneName: string;
  sessions: readonly Session[];
  conflicts: ReadonlyMap<string, ReadonlySet<Conflict>>;
  program: Program;
  onOpen: ((session: Session) => void) | null;
}) {
  const { timezone } = useEvent();
  const roomOf = new Map(program.venues.map(({ id, name }) => [id, name]));
  return (
    <Section isFlush>
      <p className="border-b border-line px-4 py-2 text-xs text-muted">{common.inZone(zoneName)}</p>
      <ul aria-label={text.views.agenda} className="divide-y divide-line">
        {inOrderOfTime(sessions).map((session) => {
          const { id, title, startsAt, endsAt, venueId, perkIds } = session;
          const times = text.times(formatTime(startsAt, timezone), formatTime(endsAt, timezone));
          return (
            <li key={id}>
              <button
                type="button"
                disabled={!onOpen}
                onClick={() => onOpen?.(session)}
                className="flex min-h-11 w-full flex-col gap-0.5 px-4 py-2 text-left hover:bg-hover disabled:cursor-default"
              >
                <span className="flex items-center gap-1.5 font-medium">
                  {perkIds.length > 0 && <Lock aria-label={text.locked} className="size-3.5" />}
                  {title}
                </span>
                <span className="text-muted">
                  {times} · {roomOf.get(venueId ?? '') ?? text.noRoom}
                </span>
                {[...(conflicts.get(id) ?? [])].map((conflict) => (
                  <Badge key={conflict} tone="red" icon={TriangleAlert}>
                    {text.conflicts[conflict]}
                  </Badge>
                ))}
              </button>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
