import { useEffect, useState } from 'react';
import type { LiveState } from '../../api/live-rules.ts';
import { now } from '../../format/clock.ts';
import { formatRelative } from '../../format/time.ts';
import { liveText } from '../../text/live.ts';
import { classes } from './classes.ts';

const colors: Record<LiveState, string> = {
  connecting: 'bg-muted pulses',
  connected: 'bg-green',
  reconnecting: 'bg-amber pulses',
  stale: 'bg-red',
};

/** Shows whether the numbers of the page are live, and how old they are if not. */
export function LiveDot({ state, updatedAt }: { state: LiveState; updatedAt: string | null }) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (state === 'connected') return;
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [state]);
  const age = updatedAt === null ? '' : formatRelative(updatedAt, now());
  return (
    <span role="status" className="inline-flex items-center gap-1.5 text-xs text-muted">
      <span aria-hidden className={classes('size-2 rounded-full', colors[state])} />
      {liveText[state](age)}
    </span>
  );
}
