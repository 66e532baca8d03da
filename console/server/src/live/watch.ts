import type { SendRequest } from '../owners/send.ts';
import { delayOf } from './delay.ts';
import { formatMessage, type LiveMessage } from './messages.ts';
import { type Poller, startPoller, type WatchedEvent } from './poller.ts';

/** A message and its text, which is formatted once for all watchers. */
export interface FormattedMessage {
  name: LiveMessage['name'];
  text: string;
}

/** The events that browsers watch. */
export interface LiveEvents {
  /**
   * Calls `listener` with each message about an event until the returned function is called. The
   * first watcher of an event starts its poller and the last one stops it. A later watcher gets the
   * last counts and the last status at once. Every watcher gets `changes` with `isReset`, and
   * `refresh`, when its changes begin: what it has read before may be older. Watchers get a message
   * one after the other, see `delayOf`; each gets all messages in their order.
   */
  watch(event: WatchedEvent, listener: (message: FormattedMessage) => void): () => void;
  /** Whether the event exists for certain, because others watch it and have its counts. */
  isKnown(event: WatchedEvent): boolean;
  /** The number of pollers. */
  size(): number;
  /** Stops all pollers. */
  stop(): Promise<void>;
}

interface Watched {
  poller: Poller;
  listeners: Set<(message: FormattedMessage) => void>;
  /**
   * How many watchers it has had. Streams end after five minutes, so the present number would give
   * all the same delay.
   */
  joined: number;
  last: Map<LiveMessage['name'], FormattedMessage>;
}

/** Identifies an event of a business unit. */
export const keyOf = ({ unit, eventId }: WatchedEvent): string => `${unit.id} ${eventId}`;

export function createLiveEvents(send: SendRequest): LiveEvents {
  const events = new Map<string, Watched>();

  function start(key: string, event: WatchedEvent): Watched {
    const listeners: Watched['listeners'] = new Set();
    const last: Watched['last'] = new Map();
    const poller = startPoller(send, event, (message) => {
      const formatted = { name: message.name, text: formatMessage(message) };
      if (message.name !== 'changes' || message.data.isReset) last.set(message.name, formatted);
      for (const listener of [...listeners]) listener(formatted);
    });
    const watched = { poller, listeners, joined: 0, last };
    events.set(key, watched);
    return watched;
  }

  return {
    watch(event, listener) {
      const key = keyOf(event);
      const watched = events.get(key) ?? start(key, event);
      const delayMs = delayOf(watched.joined);
      watched.joined += 1;
      let isWatching = true;
      const receive = (message: FormattedMessage): void => {
        setTimeout(() => {
          if (isWatching) listener(message);
        }, delayMs).unref();
      };
      watched.listeners.add(receive);
      for (const message of watched.last.values()) listener(message);
      return () => {
        isWatching = false;
        watched.listeners.delete(receive);
        if (watched.listeners.size > 0 || events.get(key) !== watched) return;
        events.delete(key);
        void watched.poller.stop();
      };
    },
    isKnown: (event) => events.get(keyOf(event))?.last.has('summary') ?? false,
    size: () => events.size,
    async stop() {
      const stopped = [...events.values()].map(({ poller }) => poller.stop());
      events.clear();
      await Promise.all(stopped);
    },
  };
}
