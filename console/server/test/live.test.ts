import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { get as httpGet } from 'node:http';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrowserClient } from './browser-client.ts';
import { startTestConsole, type TestConsole } from './harness.ts';

let app: TestConsole;
let unit: string;
let eventId: string;
let organizer: BrowserClient;
let door: BrowserClient;
beforeAll(async () => {
  app = await startTestConsole({ liveHeartbeatMs: 1000 });
  unit = `unit_${randomUUID().slice(0, 8)}`;
  [organizer, door] = [await app.signIn('oskar'), await app.signIn('dario')];
  await app.join(organizer, unit, 'organizer');
  await app.join(door, unit, 'door');
});
afterAll(() => app?.close());

/** The owners of the test: counts with an ETag, and a feed whose changes the test adds. */
let counts = 1;
let feed: { type: string; eventId: string }[] = [];
let isFeedLost = false;
let areCountsAway = false;
const waiting = new Set<() => void>();
const wake = () => {
  for (const end of [...waiting]) end();
};

/** Holds a request until the test has news, for a short time at most. */
async function holdUntilNews(): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, 300);
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
  if (url.pathname.endsWith('/checkins/summary')) {
    if (areCountsAway) return void request.socket.destroy();
    if (url.pathname.includes('evt_missing')) return void json(404, {});
    const known = request.headers['if-none-match'];
    if (known === `"${counts}"`) await holdUntilNews();
    const isSame = request.headers['if-none-match'] === `"${counts}"`;
    return void json(isSame ? 304 : 200, { checkedIn: counts }, { etag: `"${counts}"` });
  }
  if (url.pathname.endsWith('/changes/head'))
    return void json(200, { cursor: String(feed.length) });
  if (isFeedLost) {
    isFeedLost = false;
    return void json(412, {});
  }
  const after = Number(url.searchParams.get('after'));
  if (after >= feed.length) await holdUntilNews();
  const changes = feed
    .slice(after)
    .filter((each) => each.eventId === url.searchParams.get('eventId'));
  json(200, { changes, nextCursor: String(feed.length) });
}

beforeEach(() => {
  eventId = `evt_${randomUUID().slice(0, 8)}`;
  areCountsAway = false;
  app.owners.respondWith((request, response) => void respond(request, response));
});

interface Message {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the content of a message.
  data: any;
}

/** Opens the stream of an event as a browser does. */
async function watch(browser: BrowserClient, of = eventId, isReading = true) {
  const messages: Message[] = [];
  const [[name, value] = ['', '']] = [...browser.cookies];
  const url = `${app.listenerUrl}/api/units/${unit}/events/${of}/live`;
  const request = httpGet(url, { headers: { cookie: `${name}=${value}` } });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  let text = '';
  let isEnded = false;
  response.once('close', () => {
    isEnded = true;
  });
  response.on('error', () => {});
  const read = () =>
    response.on('data', (part: Buffer) => {
      text += part;
      if (!text.includes('\n\n')) return;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
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

const addChange = (of: string, type: string) => {
  feed = [...feed, { type, eventId: of }];
  wake();
};

const reset = { types: [], isReset: true };

describe('the stream of an event', () => {
  test('begins with the counts and sends each change of them', async () => {
    const stream = await watch(organizer);
    expect([stream.status, stream.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    await eventually(() =>
      expect(stream.named('summary')).toMatchObject([{ data: { checkedIn: counts } }]),
    );
    counts += 1;
    wake();
    await eventually(() =>
      expect(stream.named('summary').at(-1)).toMatchObject({ data: { checkedIn: counts } }),
    );
    stream.close();
  });

  test('sends the types of what has changed in this event, each once', async () => {
    const stream = await watch(organizer);
    await eventually(() => expect(waiting.size).toBeGreaterThanOrEqual(2));
    feed = [
      ...feed,
      { type: 'order.placed', eventId: 'evt_other' },
      { type: 'order.paid', eventId },
    ];
    addChange(eventId, 'order.paid');
    await eventually(() =>
      expect(stream.named('changes').flatMap(({ data }) => data.types)).toEqual(['order.paid']),
    );
    stream.close();
  });

  test('sends the counts but no changes to a role that may not read the feed', async () => {
    const [steward, reader] = [await watch(door), await watch(organizer)];
    await eventually(() => expect(waiting.size).toBeGreaterThanOrEqual(2));
    addChange(eventId, 'order.paid');
    await eventually(() =>
      expect(reader.named('changes').at(-1)?.data.types).toEqual(['order.paid']),
    );
    expect(steward.named('summary').length).toBeGreaterThan(0);
    expect(steward.named('changes')).toEqual([]);
    steward.close();
    reader.close();
  });

  test('sends one message of each kind per second during a surge', async () => {
    const stream = await watch(organizer);
    await eventually(() => expect(waiting.size).toBeGreaterThanOrEqual(2));
    const startedAt = performance.now();
    await eventually(() => {
      counts += 1;
      addChange(eventId, 'checkin.created');
      expect(stream.named('changes').length).toBeGreaterThanOrEqual(4);
    });
    const seconds = (performance.now() - startedAt) / 1000;
    expect(stream.named('summary').length).toBeLessThanOrEqual(seconds + 2);
    expect(stream.named('changes').length).toBeLessThanOrEqual(seconds + 2);
    stream.close();
  });

  test('sends one request of each kind to the services, however many browsers watch', async () => {
    const streams = await Promise.all(Array.from({ length: 5 }, () => watch(organizer)));
    await eventually(() => {
      for (const stream of streams) expect(stream.named('summary').length).toBeGreaterThan(0);
    });
    await eventually(() => expect(waiting.size).toBe(2));
    for (const stream of streams) stream.close();
    await eventually(() => {
      wake();
      expect(waiting.size).toBe(0);
    });
  });

  test('opens without a request of its own while others watch the event', async () => {
    const first = await watch(organizer);
    await eventually(() => expect(first.named('summary').length).toBeGreaterThan(0));
    // Those of the poller wait for news, which their query says.
    const checks = () =>
      app.owners.received.filter(({ url }) => url.endsWith(`${eventId}/checkins/summary`)).length;
    expect(checks()).toBe(1);
    const second = await watch(door);
    expect([second.status, checks()]).toEqual([200, 1]);
    await eventually(() => expect(second.named('summary').length).toBeGreaterThan(0));
    first.close();
    second.close();
  });

  test('tells each browser when its changes begin, because what it has read may be older', async () => {
    const first = await watch(organizer);
    await eventually(() => expect(first.named('changes').map(({ data }) => data)).toEqual([reset]));
    const second = await watch(organizer);
    await eventually(() =>
      expect(second.named('changes').map(({ data }) => data)).toEqual([reset]),
    );
    expect(first.named('changes')).toHaveLength(1);
    first.close();
    second.close();
  });

  test('says that everything may have changed after the feed was reset', async () => {
    const stream = await watch(organizer);
    await eventually(() => expect(waiting.size).toBeGreaterThanOrEqual(2));
    isFeedLost = true;
    wake();
    await eventually(() =>
      expect(stream.named('changes').map(({ data }) => data)).toEqual([reset, reset]),
    );
    addChange(eventId, 'order.placed');
    await eventually(() =>
      expect(stream.named('changes').at(-1)?.data.types).toEqual(['order.placed']),
    );
    stream.close();
  });

  test('says that a part is pending until it responds', async () => {
    let respondToHead = () => {};
    const isHeadSent = new Promise<void>((resolve) => {
      app.owners.respondWith((request, response) => {
        if (!request.url?.includes('/changes/head')) return void respond(request, response);
        respondToHead = () => void respond(request, response);
        resolve();
      });
    });
    const stream = await watch(organizer);
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

  test('opens while a service is away, says so, and says when it is back', async () => {
    areCountsAway = true;
    const stream = await watch(organizer);
    expect(stream.status).toBe(200);
    await eventually(() =>
      expect(stream.named('status').at(-1)?.data).toEqual({ summary: 'away', changes: 'current' }),
    );
    areCountsAway = false;
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
    expect((await watch(organizer, 'evt_missing')).status).toBe(404);
    expect((await watch(await app.signIn('vera'))).status).toBe(404);
    expect((await watch(app.newBrowser())).status).toBe(401);
  });

  test('ends with the next heartbeat after the session or the role has ended', async () => {
    const [leaver, other] = [await app.signIn('fiona'), await app.signIn('vera')];
    await app.join(leaver, unit, 'finance');
    await app.join(other, unit, 'viewer');
    const [left, signedOut] = [await watch(leaver), await watch(other)];
    const { operator } = (await leaver.send('/api/session')).json();
    await app.command('member.remove', { businessUnitId: unit, operatorId: operator.id });
    await other.post('/api/sign-out');
    await eventually(() => expect([left.isEnded(), signedOut.isEnded()]).toEqual([true, true]));
  });

  test('ends for a browser that does not read, and goes on for the others', async () => {
    const [slow, reader] = [await watch(organizer, eventId, false), await watch(organizer)];
    await eventually(() => expect(waiting.size).toBeGreaterThanOrEqual(2));
    // More than the buffers of the system take for a connection.
    const type = 'x'.repeat(6_000_000);
    for (let sent = 1; sent <= 4; sent++) {
      addChange(eventId, type);
      const received = () => reader.named('changes').flatMap(({ data }) => data.types);
      await eventually(() => expect(received().length).toBe(sent));
    }
    slow.read();
    await eventually(() => expect(slow.isEnded()).toBe(true));
    expect(slow.named('changes').length).toBeLessThan(reader.named('changes').length);
    expect(reader.isEnded()).toBe(false);
    reader.close();
  });
});
