import { useCallback, useEffect, useRef, useState } from 'react';
import type { Door, Pairing } from '../api/device.ts';
import { checkIn, type Decided } from '../scan/check-in.ts';
import { signal } from '../scan/feedback.ts';
import { enqueue, labelOf, type Waiting } from '../scan/queue.ts';
import { toneOf } from '../scan/verdict.ts';

/** How long a verdict stays at least while other badges wait. */
const verdictVisibleMs = 1000;

/** The scans at a door. */
export interface Scans {
  verdict: Decided | null;
  isChecking: boolean;
  /** What waits to be checked, in order. */
  waiting: readonly Waiting[];
  /** The code that was refused because too many others wait; null after the next scan. */
  refused: string | null;
  /** Checks a badge, after all that were presented before it. */
  submit: (next: Waiting) => void;
  clear: () => void;
}

/**
 * Checks badges one after the other. Each that is presented is checked, or refused with a sound and
 * a text: none disappears. `onUndecided`: nobody has decided, and the badge can be shown again.
 */
export function useScans(
  pairing: Pairing,
  door: Door,
  { onEnded, onUndecided }: { onEnded: () => void; onUndecided: () => void },
): Scans {
  const [verdict, setVerdict] = useState<Decided | null>(null);
  const [isChecking, setChecking] = useState(false);
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const [refused, setRefused] = useState<string | null>(null);
  const queue = useRef<readonly Waiting[]>([]);
  const current = useRef<Waiting | null>(null);
  const isRunning = useRef(false);
  const isLeft = useRef(false);

  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);

  const check = useCallback(
    async ({ presented, method }: Waiting): Promise<boolean> => {
      setChecking(true);
      setVerdict(null);
      // The storage of the browser may fail. Then nothing was decided, and the badge can be shown
      // again.
      const decided = await checkIn(pairing, door, presented, method).catch(
        (error: unknown): Decided => {
          console.error(error);
          return { kind: 'undecided', by: 'device' };
        },
      );
      if (isLeft.current) return false;
      setChecking(false);
      if (decided.kind === 'ended') {
        onEnded();
        return false;
      }
      if (decided.kind === 'undecided') onUndecided();
      setVerdict(decided);
      signal(toneOf(decided));
      return true;
    },
    [pairing, door, onEnded, onUndecided],
  );

  const run = useCallback(async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    for (;;) {
      const [next = null, ...rest] = queue.current;
      current.current = next;
      queue.current = rest;
      setWaiting(rest);
      if (!next || !(await check(next))) break;
      // The next person is already there. The verdict of the one before stays for a moment.
      current.current = null;
      if (queue.current.length > 0) await new Promise((end) => setTimeout(end, verdictVisibleMs));
      if (isLeft.current) break;
    }
    isRunning.current = false;
  }, [check]);

  const submit = useCallback(
    (next: Waiting) => {
      const result = enqueue(queue.current, current.current, next);
      if (result.outcome === 'full') {
        setRefused(labelOf(next.presented));
        signal('stop');
        return;
      }
      setRefused(null);
      if (result.outcome === 'present') return;
      queue.current = result.waiting;
      setWaiting(result.waiting);
      void run();
    },
    [run],
  );

  // The same function in each rendering: another one would restart the time for which a good
  // verdict stays.
  const clear = useCallback(() => setVerdict(null), []);
  return { verdict, isChecking, waiting, refused, submit, clear };
}
