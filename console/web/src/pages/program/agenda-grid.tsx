import { useRef, useState } from 'react';
import type { Session } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { ScrollRegion } from '../../components/ui/scroll-region.tsx';
import { common } from '../../text/common.ts';
import { programText as text } from '../../text/program.ts';
import { type Change, type Conflict, hoursOf, placeSessions } from './program.rules.ts';
import type { Program } from './program-data.ts';
import { SessionBlock } from './session-block.tsx';

/** The height of a quarter of an hour is 16 pixels: an hour is readable, a day fits two screens. */
const pixelsPerMinute = 16 / 15;

/** Rooms as columns and hours as rows. Sessions are moved by dragging or with the keyboard. */
export function AgendaGrid({
  sessions,
  zoneName,
  conflicts,
  program,
  onOpen,
  onMove,
}: {
  /** What all times of the grid are in, such as CEST. */
  zoneName: string;
  sessions: readonly Session[];
  conflicts: ReadonlyMap<string, ReadonlySet<Conflict>>;
  program: Program;
  onOpen: ((session: Session) => void) | null;
  onMove: ((session: Session, change: Change) => void) | null;
}) {
  const { timezone } = useEvent();
  const grid = useRef<HTMLDivElement>(null);
  /**
   * The session that was moved last: in another column it is another element, which takes the
   * focus.
   */
  const [lastMoved, setLastMoved] = useState<string | null>(null);
  const places = placeSessions(sessions, timezone);
  const { from, to } = hoursOf(places.values());
  const isRoomless = sessions.some(({ venueId }) => venueId === null);
  const columns = [
    ...program.venues.map(({ id, name }) => ({ venueId: id as string | null, name })),
    ...(isRoomless || program.venues.length === 0 ? [{ venueId: null, name: text.noRoom }] : []),
  ];
  const hours = Array.from({ length: (to - from) / 60 }, (_, index) => from / 60 + index);
  const height = (to - from) * pixelsPerMinute;
  return (
    <>
      {onMove && (
        <p id="grid-help" className="mb-2 text-muted">
          {text.gridHelp}
        </p>
      )}
      <ScrollRegion label={text.views.agenda} className="rounded-md border border-line">
        <div
          ref={grid}
          className="grid min-w-fit"
          style={{ gridTemplateColumns: `4rem repeat(${columns.length}, minmax(10rem, 1fr))` }}
        >
          <div
            title={common.inZone(timezone)}
            className="self-end border-b border-line px-2 py-1.5 text-right text-xs text-muted"
          >
            {zoneName}
          </div>
          {columns.map(({ venueId, name }) => (
            <h2
              key={venueId ?? ''}
              className="border-b border-l border-line px-2 py-1.5 font-medium wrap-anywhere"
            >
              {name}
            </h2>
          ))}
          <div aria-hidden className="relative" style={{ height }}>
            {hours.map((hour) => (
              <span
                key={hour}
                className="absolute right-2 text-xs text-muted"
                style={{ top: (hour * 60 - from) * pixelsPerMinute + 2 }}
              >
                {String(hour).padStart(2, '0')}:00
              </span>
            ))}
          </div>
          {columns.map(({ venueId }) => (
            <div
              key={venueId ?? ''}
              data-room={venueId ?? ''}
              className="relative border-l border-line"
              style={{
                height,
                backgroundImage: 'linear-gradient(var(--line) 1px, transparent 1px)',
                backgroundSize: `100% ${60 * pixelsPerMinute}px`,
              }}
            >
              {sessions
                .filter((session) => session.venueId === venueId)
                .map((session) => (
                  <SessionBlock
                    key={session.id}
                    session={session}
                    place={places.get(session.id)}
                    firstMinute={from}
                    pixelsPerMinute={pixelsPerMinute}
                    conflicts={conflicts.get(session.id)}
                    rooms={columns}
                    speakers={program.speakers
                      .filter(({ sessionIds }) => sessionIds.includes(session.id))
                      .map(({ name }) => name)}
                    onOpen={onOpen && (() => onOpen(session))}
                    takesFocus={lastMoved === session.id}
                    onMove={
                      onMove &&
                      ((change) => {
                        setLastMoved(session.id);
                        onMove(session, change);
                      })
                    }
                  />
                ))}
            </div>
          ))}
        </div>
      </ScrollRegion>
    </>
  );
}
