import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FeedPosition } from '../../changes.ts';
import { createClient } from '../../client.ts';
import { getChangesHead } from '../../generated/sdk.gen.ts';
import type { Change } from '../../generated/types.gen.ts';
import { type Command, type Terminal, UsageError } from '../command.ts';
import { type Login, readJsonFile, readLogin, stateFile, writePrivateFile } from '../config.ts';
import { feedOptions, followFeed } from '../feed.ts';
import { createSecret, signedHeaders } from '../sign.ts';

/** A receiver of a webhook has as long to respond. */
const responseTimeoutMs = 15_000;
const retryMs = 1000;

interface State extends FeedPosition {
  secret: string;
}

/** Sends changes to a server on this computer as webhooks. */
export const listen: Command = {
  name: 'listen',
  group: 'Development',
  summary: 'Send changes to a server of yours as webhooks, without an endpoint.',
  example: 'listen --forward-to http://localhost:3000/webhooks',
  options: {
    'forward-to': {
      value: 'URL',
      summary: 'the server, for example http://localhost:3000/webhooks',
    },
    ...feedOptions,
    resume: { summary: 'continue after the last change that was sent, not at the present' },
  },
  notes: [
    `The requests are signed as those of a webhook endpoint, with a secret that is printed and stays the same for this
    URL. A server that cannot be reached gets the change again every second. Any response ends its delivery. A change
    can be sent twice when the command ends and resumes. Needs a key with the group read.`,
  ],
  async run(invocation) {
    const { terminal, text, isSet, json } = invocation;
    const url = readUrl(text('forward-to'));
    const login = await readLogin(terminal.env);
    const client = createClient(login);
    const file = stateFile(terminal.env, `listen-${nameOf(login, url)}.json`);
    const stored = await readJsonFile<State>(file);
    const secret = stored?.secret ?? createSecret();
    const start =
      stored && isSet('resume')
        ? { cursor: stored.cursor, digest: stored.digest }
        : await getChangesHead({ client });
    const save = ({ cursor, digest }: FeedPosition) =>
      writePrivateFile(file, { secret, cursor, digest } satisfies State);
    await save(start);
    terminal.note(`webhook secret: ${secret}`);
    terminal.note(`sending changes to ${url}; Ctrl-C ends`);

    let { cursor } = start;
    await followFeed(client, invocation, start, async (changes, position) => {
      for (const change of changes) {
        const { status, ms } = await deliver(terminal, { url, secret, change, cursor });
        const { type, object } = change;
        terminal.print(
          json
            ? JSON.stringify({ id: change.id, type, objectId: object.id, status, ms })
            : `${status}  ${type}  ${object.id}  ${ms} ms`,
        );
      }
      cursor = position.cursor;
      await save(position);
    });
  },
};

function readUrl(text: string | undefined): string {
  if (text === undefined) throw new UsageError('listen requires --forward-to <URL>');
  if (!URL.canParse(text) || !/^https?:/.test(text)) {
    throw new UsageError(`${text} is not an HTTP address, such as http://localhost:3000/webhooks`);
  }
  return text;
}

/** Each address, key and receiver has a position of its own. The name does not contain the key. */
const nameOf = ({ baseUrl, apiKey }: Login, url: string): string =>
  createHash('sha256').update(`${baseUrl}\n${apiKey}\n${url}`).digest('hex').slice(0, 16);

/** Sends a change until the receiver responds. Returns the status. Errors: Ctrl-C. */
async function deliver(
  terminal: Terminal,
  sent: { url: string; secret: string; change: Change; cursor: string },
): Promise<{ status: number; ms: number }> {
  const body = JSON.stringify(sent.change);
  for (let failed = false; ; failed = true) {
    const startedAt = performance.now();
    try {
      const { id } = sent.change;
      const response = await fetch(sent.url, {
        method: 'POST',
        headers: {
          ...signedHeaders(sent.secret, { id, body, now: terminal.now() }),
          'webhook-cursor': sent.cursor,
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([terminal.signal, AbortSignal.timeout(responseTimeoutMs)]),
      });
      await response.body?.cancel();
      return { status: response.status, ms: Math.round(performance.now() - startedAt) };
    } catch {
      terminal.signal.throwIfAborted();
      if (!failed) terminal.note(`${sent.url} does not respond, waiting for it`);
      await pause(retryMs, undefined, { signal: terminal.signal });
    }
  }
}
