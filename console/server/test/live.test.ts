import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { get as httpGet } from 'node:http';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConsoleDeps } from '../src/app.ts';
import type { BrowserClient } from './browser-client.ts';
import { startTestConsole, type TestConsole } from './harness.ts';

const unit = `unit_${randomUUID().slice(0, 8)}`;

async function startConsole(overrides: Partial<ConsoleDeps> = {}) {
  const app = await startTestConsole(overrides);
  app.owners.respondWith((request, response) => void respond(request, response));
  const organizer = await app.signIn('oskar');
  await app.join(organizer, unit, 'organizer');
  return { app, organizer };
}

let app: TestConsole;
let organizer: BrowserClient;
let door: BrowserClient;
beforeAll(async () => {
  ({ app, organizer } = await startConsole({ liveHeartbeatMs: 1000 }));
  door = await app.signIn('dario');
  await app.join(door, unit, 'door');
});
afterAll(() => app?.close());

/** An event of the owners, which the test changes. */
interface OwnedEvent {
  id: string;
  /** The check-in count, which is also the ETag. */
  count: number;
  areCountsAway: boolean;
  /** How often its record was read. */
  reads: number;
  isRecordAway: boolean;
  /** Whether the next response of the feed says that its history is lost. */
  isFeedLost: boolean;
  /**
   * Whether the feed rejects a filter by type, as one of an earlier release does that does not know
   * a type.
   */
  rejectsTypes: boolean;
  /** The requests that wait for news of the event. */
  waiting: Set<() => void>;
}

const events = new Map<string, OwnedEvent>();
/** The changes of all events. A cursor is a position in it. */
const feed: { type: string; eventId: string }[] = [];

function newEvent(): OwnedEvent {
  const id = `evt_${randomUUID().slice(0, 8)}`;
  const event = {
    id,
    count: 1,
    areCountsAway: false,
    reads: 0,
    isRecordAway: false,
    isFeedLost: false,
    rejectsTypes: false,
    waiting: new Set<() => void>(),
  };
  events.set(id, event);
  return event;
}

const wake = ({ waiting }: OwnedEvent) => {
  for (const end of [...waiting]) end();
};

const addChange = (event: OwnedEvent, type: string) => {
  feed.push({ type, eventId: event.id });
  wake(event);
};

function addCheckin(event: OwnedEvent): void {
  event.count += 1;
  addChange(event, 'checkin.created');
}

/** Holds a request until the event has news, for a short time at most. */
async function holdUntilNews({ waiting }: OwnedEvent): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, 2000);
    function done() {
      clearTimeout(timer);
      waiting.delete(done);
      resolve();
    }
    waiting.add(done);
  });
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://owner');
  const json = (status: number, body: unknown, headers = {}) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(status === 304 ? '' : JSON.stringify(body));
  if (url.pathname.endsWith('/changes/head'))
    return void json(200, { cursor: String(feed.length) });
  const [, idOfRecord] = /\/v1\/events\/([^/]+)$/.exec(url.pathname) ?? [];
  const record = events.get(idOfRecord ?? '');
  if (record) {
    record.reads += 1;
    return void json(record.isRecordAway ? 500 : 200, { reads: record.reads });
  }
  const [, idInPath] = /\/events\/([^/]+)\/checkins\/summary$/.exec(url.pathname) ?? [];
  const event = events.get(idInPath ?? url.searchParams.get('eventId') ?? '');
  if (!event) return void json(404, {});
  if (idInPath) {
    if (event.areCountsAway) return void request.socket.destroy();
    const known = request.headers['if-none-match'];
    const isSame = () => known === `"${event.count}"`;
    if (isSame()) await holdUntilNews(event);
    const { count } = event;
    return void json(isSame() ? 304 : 200, { checkedIn: count }, { etag: `"${count}"` });
  }
  if (event.isFeedLost) {
    event.isFeedLost = false;
    return void json(412, {});
  }
  const after = Number(url.searchParams.get('after'));
  const types = url.searchParams.get('types')?.split(',');
  if (types && event.rejectsTypes) return void json(400, {});
  const isListed = ({ eventId, type }: { eventId: string; type: string }) =>
    eventId === event.id && (types?.includes(type) ?? true);
  const changes = () => feed.slice(after).filter(isListed);
  if (changes().length === 0) await holdUntilNews(event);
  json(200, { changes: changes(), nextCursor: String(feed.length) });
}

interface Message {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the content of a message.
  data: any;
}

const isSummaryOf =
  ({ id }: { id: string }) =>
  ({ url }: { url: string }): boolean =>
    url.endsWith(`${id}/checkins/summary`);

/** Sends the request for the stream of an event. */
function openRequest({ cookies }: BrowserClient, { id }: { id: string }, at = app) {
  const [[name, value] = ['', '']] = [...cookies];
  const url = `${at.listenerUrl}/api/units/${unit}/events/${id}/live`;
  return httpGet(url, { headers: { cookie: `${name}=${value}` } }).on('error', () => {});
}

/** Opens the stream of an event as a browser does. */
async function watch(
  browser: BrowserClient,
  event: { id: string },
  { isReading = true, at = app } = {},
) {
  const messages: Message[] = [];
  const request = openRequest(browser, event, at);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  let parts: Buffer[] = [];
  let isEnded = false;
  response.once('close', () => {
    isEnded = true;
  });
  response.on('error', () => {});
  const read = () =>
    response.on('data', (part: Buffer) => {
      parts.push(part);
      // A message of megabytes would otherwise be searched as often as it has parts.
      if (!part.includes('\n')) return;
      const blocks = Buffer.concat(parts).toString().split('\n\n');
      parts = [Buffer.from(blocks.pop() ?? '')];
      for (const block of blocks) {
        const [, event] = /^event: (.*)$/m.exec(block) ?? [];
        const [, data] = /^data: (.*)$/m.exec(block) ?? [];
        if (event && data) messages.push({ name: event, data: JSON.parse(data) });
      }
    });
  if (isReading) read();
  return {
    status: response.statusCode,
    headers: response.headers,
    messages,
    named: (kind: string) => messages.filter((message) => message.name === kind),
    isEnded: () => isEnded,
    /** Begins to read. */
    read,
    close: () => request.destroy(),
  };
}

const reset = { types: [], isReset: true };

/** Waits until the console waits for news of the counts and of the changes of an event. */
const isFollowed = ({ waiting }: OwnedEvent) =>
  eventually(() => expect(waiting.size).toBeGreaterThanOrEqual(2));

describe.concurrent('the stream of an event', () => {
  test('begins with the counts and sends each change of them', async () => {
    const event = newEvent();
    const stream = await watch(organizer, event);
    expect([stream.status, stream.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    await eventually(() =>
      expect(stream.named('summary')).toMatchObject([{ data: { checkedIn: 1 } }]),
    );
    addCheckin(event);
    await eventually(() =>
      expect(stream.named('summary').at(-1)).toMatchObject({ data: { checkedIn: 2 } }),
    );
    stream.close();
  });

  test('sends the types of what has changed in this event, each once', async () => {
    const [event, other] = [newEvent(), newEvent()];
    const stream = await watch(organizer, event);
    await isFollowed(event);
    addChange(other, 'order.created');
    feed.push({ type: 'order.paid', eventId: event.id });
    addChange(event, 'order.paid');
    await eventually(() =>
      expect(stream.named('changes').flatMap(({ data }) => data.types)).toEqual(['order.paid']),
    );
    stream.close();
  });

  test('reads no check-ins from the feed, because the counts announce them', async () => {
    const event = newEvent();
    const stream = await watch(organizer, event);
    await isFollowed(event);
    addCheckin(event);
    await eventually(() =>
      expect(stream.named('summary').at(-1)).toMatchObject({ data: { checkedIn: 2 } }),
    );
    addChange(event, 'checkin.undone');
    await eventually(() =>
      expect(stream.named('changes').at(-1)?.data.types).toEqual(['checkin.undone']),
    );
    const sent = stream.named('changes').flatMap(({ data }) => data.types);
    expect(sent).toEqual(['checkin.undone']);
    stream.close();
  });

  test('sends changes of all types while the feed is of an earlier release and rejects the filter', async () => {
    const event = newEvent();
    event.rejectsTypes = true;
    const stream = await watch(organizer, event);
    await isFollowed(event);
    for (const type of ['order.paid', 'checkin.created']) {
      addChange(event, type);
      await eventually(() => expect(stream.named('changes').at(-1)?.data.types).toEqual([type]));
    }
    stream.close();
  });

  test('sends the counts to a role that may not read the feed, and that something has changed, but not what', async () => {
    const event = newEvent();
    const [steward, reader] = [await watch(door, event), await watch(organizer, event)];
    await isFollowed(event);
    addChange(event, 'order.paid');
    await eventually(() =>
      expect(reader.named('changes').at(-1)?.data.types).toEqual(['order.paid']),
    );
    await eventually(() => {
      expect(steward.named('summary').length).toBeGreaterThan(0);
      expect(steward.named('refresh')).toEqual([{ name: 'refresh', data: {} }]);
    });
    expect(steward.named('changes')).toEqual([]);
    expect(reader.named('refresh')).toEqual([]);
    steward.close();
    reader.close();
  });

  test('sends one message of each kind per second during a surge', async () => {
    const event = newEvent();
    const stream = await watch(organizer, event);
    await isFollowed(event);
    const startedAt = performance.now();
    await eventually(() => {
      addCheckin(event);
      addChange(event, 'order.paid');
      expect(stream.named('changes').length).toBeGreaterThanOrEqual(4);
    });
    const seconds = (performance.now() - startedAt) / 1000;
    expect(stream.named('summary').length).toBeLessThanOrEqual(seconds + 2);
    expect(stream.named('changes').length).toBeLessThanOrEqual(seconds + 2);
    stream.close();
  });

  test('sends one request of each kind to the services, however many browsers watch', async () => {
    const event = newEvent();
    const streams = await Promise.all(Array.from({ length: 5 }, () => watch(organizer, event)));
    await eventually(() => {
      for (const stream of streams) expect(stream.named('summary').length).toBeGreaterThan(0);
    });
    await eventually(() => expect(event.waiting.size).toBe(2));
    for (const stream of streams) stream.close();
    await eventually(() => {
      wake(event);
      expect(event.waiting.size).toBe(0);
    });
  });

  test('opens without a request of its own while others watch the event', async () => {
    const event = newEvent();
    const first = await watch(organizer, event);
    await eventually(() => expect(first.named('summary').length).toBeGreaterThan(0));
    // Those of the poller wait for news, which their query says.
    const checks = () => app.owners.received.filter(isSummaryOf(event)).length;
    expect(checks()).toBe(1);
    const second = await watch(door, event);
    expect([second.status, checks()]).toEqual([200, 1]);
    await eventually(() => expect(second.named('summary').length).toBeGreaterThan(0));
    first.close();
    second.close();
  });

  test('tells each browser when its changes begin, because what it has read may be older', async () => {
    const event = newEvent();
    const first = await watch(organizer, event);
    await eventually(() => expect(first.named('changes').map(({ data }) => data)).toEqual([reset]));
    const second = await watch(organizer, event);
    await eventually(() =>
      expect(second.named('changes').map(({ data }) => data)).toEqual([reset]),
    );
    expect(first.named('changes')).toHaveLength(1);
    first.close();
    second.close();
  });

  test('says that everything may have changed after the feed was reset', async () => {
    const event = newEvent();
    const stream = await watch(organizer, event);
    await isFollowed(event);
    event.isFeedLost = true;
    wake(event);
    await eventually(() =>
      expect(stream.named('changes').map(({ data }) => data)).toEqual([reset, reset]),
    );
    addChange(event, 'order.created');
    await eventually(() =>
      expect(stream.named('changes').at(-1)?.data.types).toEqual(['order.created']),
    );
    stream.close();
  });

  test('opens while a service is away, says so, and says when it is back', async () => {
    const event = newEvent();
    event.areCountsAway = true;
    const stream = await watch(organizer, event);
    expect(stream.status).toBe(200);
    await eventually(() =>
      expect(stream.named('status').at(-1)?.data).toEqual({ summary: 'away', changes: 'current' }),
    );
    event.areCountsAway = false;
    await eventually(() =>
      expect(stream.named('status').at(-1)?.data).toEqual({
        summary: 'current',
        changes: 'current',
      }),
    );
    expect(stream.named('summary').length).toBeGreaterThan(0);
    stream.close();
  });

  test('is a 404 for an event and a business unit of others, and a 401 without a session', async () => {
    expect((await watch(organizer, { id: 'evt_missing' })).status).toBe(404);
    expect((await watch(await app.signIn('vera'), newEvent())).status).toBe(404);
    expect((await watch(app.newBrowser(), newEvent())).status).toBe(401);
  });

  test('ends with the next heartbeat after the session or the role has ended', async () => {
    const event = newEvent();
    const [leaver, other] = [await app.signIn('fiona'), await app.signIn('vera')];
    await app.join(leaver, unit, 'finance');
    await app.join(other, unit, 'viewer');
    const [left, signedOut] = [await watch(leaver, event), await watch(other, event)];
    const { operator } = (await leaver.send('/api/session')).json();
    await app.command('member.remove', { businessUnitId: unit, operatorId: operator.id });
    await other.post('/api/sign-out');
    await eventually(() => expect([left.isEnded(), signedOut.isEnded()]).toEqual([true, true]));
  });

  test('ends for a browser that does not read, and goes on for the others', async () => {
    const event = newEvent();
    // The large type is none that the console knows.
    event.rejectsTypes = true;
    // Without heartbeats during the test: a browser that has not read a large message loses its
    // stream with the next message.
    const { app: at, organizer: browser } = await startConsole();
    const slow = await watch(browser, event, { isReading: false, at });
    const reader = await watch(browser, event, { at });
    await isFollowed(event);
    // The first message is more than the buffers of the system take for a connection.
    for (const [i, type] of ['x'.repeat(15_000_000), 'order.paid'].entries()) {
      addChange(event, type);
      const received = () => reader.named('changes').flatMap(({ data }) => data.types);
      await eventually(() => expect(received().length).toBe(i + 1));
    }
    slow.read();
    await eventually(() => expect(slow.isEnded()).toBe(true));
    expect(slow.named('changes').length).toBeLessThan(reader.named('changes').length);
    expect(reader.isEnded()).toBe(false);
    reader.close();
    await at.close();
  });
});

describe.concurrent('pages that watch an event', () => {
  let members: BrowserClient[];
  beforeAll(async () => {
    const other = await app.signIn('olivia');
    await app.join(other, unit, 'organizer');
    members = [organizer, other];
  });

  /** Reads the record of an event, and returns how often it was read before and now. */
  const read = async (browser: BrowserClient, { id }: OwnedEvent, { isLive = true } = {}) => {
    const headers: Record<string, string> = isLive ? { 'live-read': '1' } : {};
    const response = await browser.send(`/api/units/${unit}/v1/events/${id}`, { headers });
    return response.status === 200 ? response.json().reads : response.status;
  };
  const readAll = (event: OwnedEvent) =>
    Promise.all([...members, ...members].map((browser) => read(browser, event)));

  test('share a read that begins after the request of each', async () => {
    const event = newEvent();
    expect(await read(organizer, event)).toBe(1);
    for (let round = 0; round < 3; round++) {
      const before = event.reads;
      for (const each of await readAll(event)) expect(each).toBeGreaterThan(before);
      // Requests that a busy machine delivers apart share the next read.
      expect(event.reads).toBeLessThan(before + 4);
    }
  });

  test('share nothing with a page that does not watch, or with another role', async () => {
    const event = newEvent();
    expect(await read(organizer, event)).toBe(1);
    expect(await read(organizer, event, { isLive: false })).toBe(2);
    expect(await read(door, event)).toBe(3);
    expect(await read(organizer, newEvent())).toBe(1);
  });

  test('share no error', async () => {
    const event = newEvent();
    event.isRecordAway = true;
    expect(await read(organizer, event)).toBe(500);
    expect(await readAll(event)).toEqual([500, 500, 500, 500]);
    expect(event.reads).toBe(5);
  });
});

test('the stream of an event says that a part is pending until it responds', async () => {
  let respondToHead = () => {};
  const isHeadSent = new Promise<void>((resolve) => {
    app.owners.respondWith((request, response) => {
      if (!request.url?.includes('/changes/head')) return void respond(request, response);
      respondToHead = () => void respond(request, response);
      resolve();
    });
  });
  const stream = await watch(organizer, newEvent());
  await isHeadSent;
  const statuses = () => stream.named('status').map(({ data }) => data);
  await eventually(() =>
    expect(statuses()).toEqual([
      { summary: 'pending', changes: 'pending' },
      { summary: 'current', changes: 'pending' },
    ]),
  );
  respondToHead();
  await eventually(() =>
    expect(statuses().at(-1)).toEqual({ summary: 'current', changes: 'current' }),
  );
  stream.close();
});
