// A process that keeps the overviews of an event open in many sessions, as browsers on other
// machines do. Each message is a step of the measurement, and each has a reply.
import { setTimeout as wait } from 'node:timers/promises';
import { type ConsoleClient, signIn } from '@event-api/tools/seed/console-client';

export type OverviewStep =
  | { step: 'sign in'; consoleUrl: string; invitation: string; operators: number }
  | { step: 'open'; businessUnitId: string; eventId: string; withinMs: number }
  | { step: 'close' };

/** What the open overviews received and read. */
export interface OverviewFigures {
  /** Messages per second, one figure for each operator. */
  messagesPerSecond: number[];
  /** How long each read took. */
  readsMs: number[];
}

let clients: ConsoleClient[] = [];
let opened: Promise<OverviewOutcome>[] = [];
let closing = new AbortController();

process.on('message', async (message: OverviewStep) => {
  process.send?.(await perform(message));
});

async function perform(message: OverviewStep): Promise<object> {
  switch (message.step) {
    case 'sign in':
      clients = await signInOften(message);
      return { sessions: clients.length };
    case 'open':
      await openAll(message);
      return { overviews: opened.length };
    case 'close':
      return closeAll();
  }
}

/** Signs an owner in many times: every browser has a session of its own. */
async function signInOften({
  consoleUrl,
  invitation,
  operators,
}: Extract<OverviewStep, { step: 'sign in' }>): Promise<ConsoleClient[]> {
  const sessions: ConsoleClient[] = [];
  for (let n = 0; n < operators; n++) {
    const client = await signIn(consoleUrl, 'olivia');
    if (n === 0) await client.post('/api/invitations/accept', { token: invitation });
    sessions.push(client);
  }
  return sessions;
}

/** Opens the overviews one after the other, as operators do. */
async function openAll({
  businessUnitId,
  eventId,
  withinMs,
}: Extract<OverviewStep, { step: 'open' }>): Promise<void> {
  closing = new AbortController();
  opened = [];
  const unitPath = `/api/units/${businessUnitId}`;
  const eventPath = `${unitPath}/v1/events/${eventId}`;
  for (const client of clients) {
    opened.push(
      keepOpen({
        client,
        streamPath: `${unitPath}/events/${eventId}/live`,
        figurePaths: [eventPath, `${eventPath}/ticket-types`, `${eventPath}/checkins/summary`],
        signal: closing.signal,
      }),
    );
    await wait(withinMs / clients.length);
  }
}

async function closeAll(): Promise<OverviewFigures> {
  closing.abort();
  const outcomes = await Promise.all(opened);
  return {
    messagesPerSecond: outcomes.map(({ messages, seconds }) => messages / seconds),
    readsMs: outcomes.flatMap(({ readsMs }) => readsMs),
  };
}

interface Overview {
  client: ConsoleClient;
  streamPath: string;
  figurePaths: string[];
  signal: AbortSignal;
}

interface OverviewOutcome {
  messages: number;
  seconds: number;
  readsMs: number[];
}

/**
 * Reads the figures and follows the stream of the event, until `signal` is aborted. Check-ins cause
 * no other read, because the stream brings their counts.
 */
async function keepOpen(overview: Overview): Promise<OverviewOutcome> {
  const openedAt = performance.now();
  const [messages, readsMs] = await Promise.all([countMessages(overview), readFigures(overview)]);
  return { messages, seconds: (performance.now() - openedAt) / 1000, readsMs };
}

async function readFigures({ client, figurePaths }: Overview): Promise<number[]> {
  const readsMs: number[] = [];
  for (const path of figurePaths) {
    const sentAt = performance.now();
    const { status } = await client.send(path);
    if (status !== 200) throw new Error(`${path} responded with ${status}`);
    readsMs.push(performance.now() - sentAt);
  }
  return readsMs;
}

async function countMessages({ client, streamPath, signal }: Overview): Promise<number> {
  let messages = 0;
  try {
    for await (const part of await client.stream(streamPath, signal)) {
      const text = Buffer.from(part).toString();
      messages += text.match(/^event: /gm)?.length ?? 0;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return messages;
}
