import { Lock, TriangleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Session } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { classes } from '../../components/ui/classes.ts';
import { formatTime, viewerZone } from '../../format/time.ts';
import { common } from '../../text/common.ts';
import { programText as text } from '../../text/program.ts';
import {
  type Change,
  type Conflict,
  moveSession,
  type Place,
  resizeSession,
  stepMinutes,
  timesIn,
} from './program.rules.ts';
import { useDrag } from './use-drag.ts';

export interface Room {
  venueId: string | null;
  name: string;
}

/** One session on the grid. A click opens it; dragging, or Alt with an arrow key, moves it. */
export function SessionBlock({
  session,
  place = { from: 0, to: stepMinutes, lane: 0, lanes: 1 },
  firstMinute,
  pixelsPerMinute,
  conflicts,
  rooms,
  speakers,
  takesFocus,
  onOpen,
  onMove,
}: {
  session: Session;
  place: Place | undefined;
  firstMinute: number;
  pixelsPerMinute: number;
  conflicts: ReadonlySet<Conflict> | undefined;
  rooms: readonly Room[];
  speakers: readonly string[];
  takesFocus: boolean;
  onOpen: (() => void) | null;
  onMove: ((change: Change) => void) | null;
}) {
  const { timezone } = useEvent();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) button.current?.focus();
  }, [takesFocus]);
  const drag = useDrag({
    pixelsPerMinute,
    onClick: onOpen,
    onDrop:
      onMove &&
      (({ kind, minutes, venueId }) => {
        const change =
          kind === 'resize'
            ? resizeSession(session, minutes)
            : moveSession(session, { byMinutes: minutes, venueId: venueId ?? session.venueId });
        if (change) onMove(change);
      }),
  });
  const times = text.times(
    formatTime(session.startsAt, timezone),
    formatTime(session.endsAt, timezone),
  );
  const isLocked = session.perkIds.length > 0;
  const problems = [...(conflicts ?? [])].map((conflict) => text.conflicts[conflict]);
  const top = (place.from - firstMinute) * pixelsPerMinute;
  const height = Math.max(place.to - place.from, stepMinutes) * pixelsPerMinute;
  return (
    <button
      ref={button}
      type="button"
      aria-describedby={onMove ? 'grid-help' : undefined}
      disabled={!onOpen}
      title={common.viewerTime(text.timesOnDay(timesIn(viewerZone(), session)))}
      {...drag.handlers}
      onKeyDown={(event) => {
        const change = onMove && keyChange(event, session, rooms);
        if (!change || !onMove) return;
        event.preventDefault();
        onMove(change);
      }}
      style={{
        top,
        height: height - 2 + (drag.shift.kind === 'resize' ? drag.shift.y : 0),
        left: `calc(${(100 * place.lane) / place.lanes}% + 2px)`,
        width: `calc(${100 / place.lanes}% - 4px)`,
        transform:
          drag.shift.kind === 'move'
            ? `translate(${drag.shift.x}px, ${drag.shift.y}px)`
            : undefined,
      }}
      className={classes(
        'absolute flex flex-col overflow-hidden rounded-md border bg-accent-soft px-1.5 py-0.5 text-left text-xs leading-4 disabled:cursor-default',
        problems.length > 0 ? 'border-2 border-danger' : 'border-accent/40',
        drag.shift.kind !== 'none' && 'z-10 shadow-lg',
      )}
    >
      <span className="flex items-center gap-1 font-medium text-ink">
        {problems.length > 0 && <TriangleAlert aria-hidden className="size-3 shrink-0 text-red" />}
        {isLocked && <Lock aria-hidden className="size-3 shrink-0" />}
        <span className="truncate">{session.title}</span>
      </span>
      <span className="truncate text-accent-ink">{times}</span>
      {speakers.length > 0 && <span className="truncate text-ink">{speakers.join(', ')}</span>}
      {isLocked && <span className="sr-only">{text.locked}</span>}
      {problems.map((problem) => (
        <span key={problem} className="truncate text-red">
          {problem}
        </span>
      ))}
      {onMove && (
        <span
          aria-hidden
          data-resize
          className="absolute inset-x-0 bottom-0 h-1.5 cursor-ns-resize"
        />
      )}
    </button>
  );
}

/** Alt and an arrow key moves the session; with Shift, up and down change its length. */
function keyChange(
  event: React.KeyboardEvent,
  session: Session,
  rooms: readonly Room[],
): Change | null {
  if (!event.altKey || !event.key.startsWith('Arrow')) return null;
  const steps = { ArrowUp: -stepMinutes, ArrowDown: stepMinutes }[event.key];
  if (steps !== undefined) {
    return event.shiftKey
      ? resizeSession(session, steps)
      : moveSession(session, { byMinutes: steps, venueId: session.venueId });
  }
  const index = rooms.findIndex(({ venueId }) => venueId === session.venueId);
  const room = rooms[index + (event.key === 'ArrowLeft' ? -1 : 1)];
  return room ? moveSession(session, { byMinutes: 0, venueId: room.venueId }) : null;
}
