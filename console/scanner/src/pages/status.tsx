import { connection } from '../api/connection.ts';
import { useObservable } from '../api/observable.ts';
import { unsentCount } from '../store/scans.ts';
import { contestedCount } from '../sync/send-scans.ts';
import { rosterReadAt } from '../sync/sync-roster.ts';
import { text } from '../text/en.ts';
import { formatTime } from '../text/time.ts';
import { BlockedScans } from './blocked-scans.tsx';
import type { Counts } from './use-counts.ts';

/**
 * What the person at the door must know: whether the platform responds, what waits to be sent, how
 * many are inside.
 */
export function Status({ counts, timezone }: { counts: Counts; timezone: string }) {
  const state = useObservable(connection);
  const readAt = useObservable(rosterReadAt);
  const unsent = useObservable(unsentCount);
  const contested = useObservable(contestedCount);
  const asOf = readAt === null ? null : formatTime(new Date(readAt).toISOString(), timezone);
  const isOnline = state === 'online';
  return (
    <footer>
      <span className={isOnline ? 'online' : 'offline'} role="status">
        {text.connection[state]}
        {!isOnline && ` ${asOf === null ? text.noRoster : text.roster(asOf)}`}
      </span>
      {counts.all !== null && <span>{text.checkedIn(counts.door, counts.all)}</span>}
      {unsent > 0 && <span>{text.unsent(unsent)}</span>}
      <BlockedScans />
      {contested > 0 && <span>{text.contested(contested)}</span>}
      {isOnline && asOf !== null && <span>{text.ready(asOf)}</span>}
    </footer>
  );
}
