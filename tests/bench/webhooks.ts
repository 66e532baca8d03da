import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '@event-api/platform/core/clock';
import type { BenchEnvironment } from './environment.ts';
import { compare, type Figures, line, medians, runAlternating } from './rounds.ts';
import { type SendRequest, startBuyers } from './sale.ts';
import { quantile } from './statistics.ts';
import { describeVerdict, judge, type Verdict } from './verdicts.ts';

const units = 5;
const endpointsPerUnit = 10;
/** Each change is delivered to ten endpoints: 10,000 deliveries per minute. */
const deliveriesPerMinute = 10_000;
const changePauseMs = 60_000 / (deliveriesPerMinute / endpointsPerUnit);
const slowResponseMs = 10_000;

/**
 * The lag of deliveries from the change to its arrival: 48 endpoints alone, and beside a dead and a
 * slow one.
 */
export interface WebhookFigures {
  alone: Figures;
  beside: Figures;
  overAlone: Verdict;
}

/** Measures 10,000 deliveries per minute to 50 endpoints of five business units. */
export async function benchWebhooks(
  environment: BenchEnvironment,
  options: { rounds: number; roundMs: number },
): Promise<WebhookFigures> {
  const receiver = await startReceiver();
  environment.onEnd(receiver.close);
  const senders: Sender[] = [];
  for (let n = 0; n < units; n++) senders.push(await createUnitWithEvent(environment));
  const create = (n: number, kind: Kind) => createEndpoint(senders[n % units], receiver.url(kind));
  const special = [await create(0, 'dead'), await create(1, 'slow')];
  for (let n = special.length; n < units * endpointsPerUnit; n++) await create(n, 'healthy');
  await environment.settle();
  const run = (isBeside: boolean) => async (roundMs: number) => {
    for (const endpoint of special) await (isBeside ? endpoint.enable() : endpoint.disable());
    return measure(senders, receiver, roundMs);
  };
  const [alone, beside] = await runAlternating(
    [
      { name: 'alone', run: run(false) },
      { name: 'beside a dead and a slow endpoint', run: run(true) },
    ],
    { progress: environment.progress, ...options },
  );
  if (!alone || !beside) throw new Error('nothing was measured');
  return {
    alone: medians(alone),
    beside: medians(beside),
    overAlone: judge(
      { name: 'webhook lag, p99 beside a dead and a slow endpoint ÷ alone', atMost: 2 },
      compare(beside, alone, 'p99Ms'),
    ),
  };
}

type Kind = 'healthy' | 'dead' | 'slow';
type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** A server with a path for each kind of endpoint. All acknowledge pings. */
async function startReceiver() {
  const lags: number[] = [];
  const respond = async (kind: string, response: ServerResponse) => {
    if (kind === 'dead') return;
    if (kind === 'slow') await wait(slowResponseMs, undefined, { ref: false });
    response.writeHead(204).end();
  };
  const server = createServer(async (request, response) => {
    const { type, occurredAt } = JSON.parse(await text(request));
    const kind = request.url?.slice(1) ?? '';
    if (type === 'ping') return void response.writeHead(204).end();
    if (kind === 'healthy') lags.push(systemClock.now().getTime() - new Date(occurredAt).getTime());
    await respond(kind, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (kind: Kind) => `http://127.0.0.1:${port}/${kind}`,
    /** The lags since the last call, in milliseconds. */
    take: () => lags.splice(0),
    count: () => lags.length,
    close: () => server.closeAllConnections(),
  };
}

/** A business unit whose event can be changed. */
interface Sender {
  send: SendRequest;
  eventPath: string;
  /** Its endpoints that are measured. */
  healthy: number;
}

async function createUnitWithEvent(environment: BenchEnvironment): Promise<Sender> {
  const send = await startBuyers(environment);
  const { body } = await send('POST', '/v1/events', { name: 'Bench', timezone: 'UTC' });
  return { send, eventPath: `/v1/events/${body.id}`, healthy: 0 };
}

/** Creates an endpoint and waits until it is enabled. */
async function createEndpoint(sender: Sender | undefined, url: string) {
  if (!sender) throw new Error('no business unit');
  const { send } = sender;
  if (url.endsWith('healthy')) sender.healthy += 1;
  const { body } = await send('POST', '/v1/webhook-endpoints', { url, types: null });
  const path = `/v1/webhook-endpoints/${body.id}`;
  const enabled = async () => {
    for (let n = 0; n < 300; n++) {
      const { body: endpoint } = await send('GET', path);
      if (endpoint.status === 'enabled') return;
      await wait(100);
    }
    throw new Error('an endpoint was not enabled');
  };
  await enabled();
  return {
    disable: () => send('PATCH', path, { status: 'disabled' }),
    async enable() {
      await send('PATCH', path, { status: 'enabled', resumeFrom: 'now' });
      await enabled();
    },
  };
}

/** Changes events at the rate, and waits for the deliveries to all healthy endpoints. */
async function measure(senders: Sender[], receiver: Receiver, roundMs: number): Promise<Figures> {
  receiver.take();
  const startedAt = performance.now();
  const changes: Promise<unknown>[] = [];
  let expected = 0;
  for (let n = 0; n * changePauseMs < roundMs; n++) {
    const sender = senders[n % units];
    if (!sender) continue;
    expected += sender.healthy;
    changes.push(sender.send('PATCH', sender.eventPath, { name: `Bench ${n}` }));
    await wait(Math.max(0, startedAt + (n + 1) * changePauseMs - performance.now()));
  }
  await Promise.all(changes);
  for (let n = 0; receiver.count() < expected; n++) {
    if (n > 600) throw new Error(`only ${receiver.count()} of ${expected} changes were delivered`);
    await wait(50);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const lags = receiver.take();
  return {
    perSecond: lags.length / seconds,
    p50Ms: quantile(lags, 0.5),
    p99Ms: quantile(lags, 0.99),
  };
}

export const describeWebhooks = ({ alone, beside, overAlone }: WebhookFigures): string =>
  [
    `lag of ${deliveriesPerMinute} deliveries per minute to ${units * endpointsPerUnit} endpoints, from the change to its arrival`,
    line('alone', alone),
    line('beside', beside),
    describeVerdict(overAlone),
  ].join('\n');
