import { useEffect, useRef, useState } from 'react';
import { useSend } from '../../api/actions.ts';
import { messageOf } from '../../components/ui/states.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { inOrder, moveTo, type Ordered, orderWrites, splitArchived } from './order.rules.ts';

/**
 * The items in their order, and a function that moves one. A move is shown at once and saved in
 * turn; one that the server rejects goes back, with a message.
 */
export function useOrder<Item extends Ordered>(items: readonly Item[], folder: string) {
  const send = useSend();
  const toast = useToast();
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const queue = useRef(Promise.resolve());
  const { live, archived } = splitArchived(items);
  const shown = chosen ? inOrder(live, chosen) : live;
  const ids = shown.map(({ id }) => id);
  const isSaved = ids.every((id, index) => live[index]?.id === id);
  const [moving, setMoving] = useState(0);
  // Between the writes of a move, the server has an order of its own.
  useEffect(() => {
    if (isSaved && moving === 0) setChosen(null);
  }, [isSaved, moving]);
  const places = useRef(new Map<string, number>());
  if (chosen === null) places.current = new Map(live.map(({ id, sortOrder }) => [id, sortOrder]));
  const move = (id: string, place: number): void => {
    const next = moveTo(ids, id, place);
    if (next.every((each, index) => each === ids[index])) return;
    setChosen(next);
    setMoving((count) => count + 1);
    queue.current = queue.current.then(async () => {
      try {
        for (const write of orderWrites(next, places.current, folder)) await send(write);
        places.current = new Map(next.map((each, index) => [each, index]));
      } catch (error) {
        setChosen(null);
        toast(messageOf(error as Error));
      } finally {
        setMoving((count) => count - 1);
      }
    });
  };
  return { rows: [...shown, ...archived], movable: ids, move };
}
