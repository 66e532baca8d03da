import { setTimeout as pause } from 'node:timers/promises';
import { changes, type FeedPosition } from '../changes.ts';
import { EventApiConnectionError } from '../errors.ts';
import type { Client } from '../generated/client/types.gen.ts';
import type { Change } from '../generated/types.gen.ts';
import type { Invocation, Option } from './command.ts';

const reconnectMs = 1000;

/** The options of commands that follow the feed. */
export const feedOptions = {
  types: { value: 'types', summary: 'only these types of change, separated by commas' },
  event: { value: 'event id', summary: 'only the changes of this event' },
} satisfies Record<string, Option>;

/**
 * Follows the feed and calls `apply` with each page and the position after it. While the API is
 * unavailable it waits and continues where it was. Ends at Ctrl-C, or with `untilEnd` at the end of
 * the feed.
 * Errors: those of `apply`, FeedDigestError and EventApiError.
 */
export async function followFeed(
  client: Client,
  { text, terminal }: Pick<Invocation, 'text' | 'terminal'>,
  from: FeedPosition,
  apply: (changes: Change[], position: FeedPosition) => Promise<void>,
  untilEnd = false,
): Promise<void> {
  const { signal } = terminal;
  const types = text('types');
  const eventId = text('event');
  let position = from;
  while (!signal.aborted) {
    try {
      const pages = changes({
        ...{ client, from: position, untilEnd, signal },
        ...(types && { types: types.split(',') }),
        ...(eventId && { eventId }),
      });
      for await (const page of pages) {
        await apply(page.changes, page.position);
        position = page.position;
      }
      return;
    } catch (error) {
      if (!(error instanceof EventApiConnectionError) || untilEnd) throw error;
      terminal.note('the API is unavailable, waiting for it');
      await pause(reconnectMs, undefined, { signal });
    }
  }
}
