import { useEffect, useRef, useState } from 'react';
import { useSend } from '../../api/actions.ts';
import type { Session } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { messageOf } from '../../components/ui/states.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { formatTime } from '../../format/time.ts';
import { programText as text } from '../../text/program.ts';
import { type Change, undoOf } from './program.rules.ts';

/**
 * The sessions, each where it was moved to, and a function that moves one. A move is shown at once
 * and saved in order; one that the server rejects goes back, with a message.
 */
export function useMoves(saved: readonly Session[]) {
  const event = useEvent();
  const send = useSend();
  const toast = useToast();
  const [moved, setMoved] = useState<ReadonlyMap<string, Change>>(new Map());
  const queue = useRef(Promise.resolve());
  useEffect(() => {
    const open = [...moved].filter(([id, change]) => {
      const session = saved.find((each) => each.id === id);
      return (
        session &&
        Object.entries(change).some(([key, value]) => session[key as keyof Session] !== value)
      );
    });
    if (open.length < moved.size) setMoved(new Map(open));
  }, [moved, saved]);

  const sessions = saved.map((session) => ({ ...session, ...moved.get(session.id) }));
  function move(session: Session, change: Change, isUndo = false): void {
    const { id, title } = session;
    const after = { ...session, ...change };
    setMoved((before) => new Map([...before, [id, { ...before.get(id), ...change }]]));
    queue.current = queue.current.then(async () => {
      try {
        const input = { eventId: event.id, sessionId: id, ...change };
        await send({ command: 'session.update', input });
        const words = text.moved(
          title,
          formatTime(after.startsAt, event.timezone),
          formatTime(after.endsAt, event.timezone),
        );
        toast(words, isUndo ? undefined : () => move(after, undoOf(session, change), true));
      } catch (error) {
        setMoved((before) => new Map([...before].filter(([each]) => each !== id)));
        toast(messageOf(error as Error));
      }
    });
  }
  return { sessions, move } as const;
}
