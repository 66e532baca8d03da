import { now } from '../format/clock.ts';
import { type Connection, isSilent } from './live-rules.ts';

export interface LiveListeners {
  onConnection: (connection: Connection) => void;
  /** The check-in counts per door. */
  onSummary: (summary: unknown) => void;
  /** The types of what has changed; `all` if that is unknown. */
  onChanges: (types: readonly string[] | 'all') => void;
}

const retryMs = 3000;
const checkMs = 1000;

/**
 * Follows the stream of an event until `close` is called. A hidden tab has no stream; it opens again when the tab is shown.
 * The server ends each stream after five minutes; the browser opens the next one.
 */
export function followEvent(url: string, listeners: LiveListeners): { close: () => void } {
  let source: EventSource | null = null;
  let connection: Connection = {
    openedAt: null,
    currentAt: null,
    lostAt: now().getTime(),
    isPartAway: false,
  };
  const update = (change: Partial<Connection>) => {
    connection = { ...connection, ...change };
    listeners.onConnection(connection);
  };
  const heard = (change: Partial<Connection> = {}) =>
    update({
      currentAt: connection.isPartAway ? connection.currentAt : now().getTime(),
      ...change,
    });
  const lose = () => {
    if (connection.openedAt === null) return;
    const time = now().getTime();
    update({ openedAt: null, lostAt: time });
  };
  const open = () => {
    source?.close();
    const stream = new EventSource(url);
    source = stream;
    stream.onopen = () => heard({ openedAt: now().getTime() });
    stream.onerror = lose;
    const on = <T>(name: string, listener: (data: T) => void) =>
      stream.addEventListener(name, (event) => {
        listener(JSON.parse((event as MessageEvent<string>).data));
      });
    on<unknown>('heartbeat', () => heard());
    on<unknown>('summary', (summary) => {
      heard();
      listeners.onSummary(summary);
    });
    on<{ types: string[]; isReset?: true }>('changes', ({ types, isReset }) => {
      heard();
      listeners.onChanges(isReset ? 'all' : types);
    });
    on<Record<string, string>>('status', (status) =>
      heard({ isPartAway: Object.values(status).includes('away') }),
    );
  };
  const hide = () => {
    source?.close();
    source = null;
    lose();
  };
  const onVisibility = () => (document.hidden ? hide() : open());
  let attemptedAt = 0;
  const timer = setInterval(() => {
    if (document.hidden) return;
    const time = now().getTime();
    if (isSilent(connection, time)) hide();
    // A stream that was refused stays closed: the browser itself tries again only after a broken connection.
    const isClosed = source === null || source.readyState === EventSource.CLOSED;
    if (isClosed && time - attemptedAt > retryMs) {
      attemptedAt = time;
      open();
    }
    listeners.onConnection(connection);
  }, checkMs);
  document.addEventListener('visibilitychange', onVisibility);
  if (!document.hidden) open();
  return {
    close() {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisibility);
      source?.close();
    },
  };
}
