import { now } from '../format/clock.ts';
import { type Connection, isSilent, partsOf } from './live-rules.ts';

export interface LiveListeners {
  onConnection: (connection: Connection) => void;
  /** The check-in counts per door. */
  onSummary: (summary: unknown) => void;
  /** The types of what has changed; `all` if that is unknown. */
  onChanges: (types: readonly string[] | 'all') => void;
}

const retryMs = 3000;
/**
 * An attempt without a response, such as one in a network that has changed, is given up: the
 * browser waits for minutes.
 */
const attemptMs = 15_000;
const checkMs = 1000;

/**
 * Follows the stream of an event until `close` is called. A hidden tab, and a device without a
 * network, has no stream; it opens again when the tab is shown or the network is back. The server
 * ends each stream after five minutes; the browser opens the next one.
 */
export function followEvent(url: string, listeners: LiveListeners): { close: () => void } {
  let source: EventSource | null = null;
  let connection: Connection = {
    openedAt: null,
    heardAt: null,
    currentAt: null,
    lostAt: now().getTime(),
    parts: 'pending',
  };
  const update = (change: Partial<Connection>) => {
    connection = { ...connection, ...change };
    listeners.onConnection(connection);
  };
  const heard = (parts = connection.parts) => {
    const time = now().getTime();
    update({ parts, heardAt: time, ...(parts === 'current' && { currentAt: time }) });
  };
  const lose = () => {
    if (connection.openedAt === null) return;
    const time = now().getTime();
    update({ openedAt: null, lostAt: time });
  };
  let attemptedAt = 0;
  const open = () => {
    source?.close();
    attemptedAt = now().getTime();
    const stream = new EventSource(url);
    source = stream;
    // A new stream begins with the status of the parts. What the one before has said may be over.
    stream.onopen = () => update({ openedAt: now().getTime(), parts: 'pending' });
    stream.onerror = () => {
      // Unless it was refused, the browser itself tries again.
      attemptedAt = now().getTime();
      lose();
    };
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
    on<unknown>('refresh', () => {
      heard();
      listeners.onChanges('all');
    });
    on<Record<string, string>>('status', (status) => heard(partsOf(status)));
  };
  const hide = () => {
    source?.close();
    source = null;
    lose();
  };
  const onVisibility = () => (document.hidden ? hide() : open());
  const timer = setInterval(() => {
    if (document.hidden) return;
    const time = now().getTime();
    if (isSilent(connection, time)) hide();
    const state = source?.readyState ?? EventSource.CLOSED;
    const silenceLimitMs = state === EventSource.CLOSED ? retryMs : attemptMs;
    if (state !== EventSource.OPEN && time - attemptedAt > silenceLimitMs) open();
    listeners.onConnection(connection);
  }, checkMs);
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener('visibilitychange', onVisibility, { signal });
  // A stream of a network that is gone stays open until it has been silent for long.
  addEventListener('offline', hide, { signal });
  addEventListener('online', onVisibility, { signal });
  if (!document.hidden) open();
  return {
    close() {
      clearInterval(timer);
      listening.abort();
      source?.close();
    },
  };
}
