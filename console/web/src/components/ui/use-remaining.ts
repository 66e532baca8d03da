import { useEffect, useState } from 'react';
import { now } from '../../format/clock.ts';
import { remainingTime } from '../../format/remaining-time.ts';

/** The time until an instant, each second; null once it has passed. */
export function useRemaining(until: string): string | null {
  const [at, setAt] = useState(now);
  const remaining = remainingTime(until, at);
  const isOver = remaining === null;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setAt(now()), 1000);
    return () => clearInterval(timer);
  }, [isOver]);
  return remaining;
}
