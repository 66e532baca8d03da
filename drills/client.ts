import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDefinite, type Owner, type Seen, whatIsWrong } from './answers.ts';
import { factsIn } from './facts.ts';
import type { Journal } from './journal.ts';
import type { Choices } from './random.ts';

/** How long a client waits for one answer: longer than any time limit of the platform. */
const PATIENCE_MS = 30_000;
/**
 * How long a request is repeated until it is decided. Whoever dies over one leaves its key to nobody for thirty seconds,
 * and that may happen to it more than once.
 */
const REPEAT_FOR_MS = 100_000;

export interface Asked {
  operation: string;
  owner: Owner;
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** The API key, looked up for each try: it may have been replaced since the last. */
  secret?: () => string;
}

export interface Client {
  /**
   * Asks until the answer is definite, always with the same `Idempotency-Key`, and writes all of it into the
   * journal. Null when none came in time: nobody knows what has happened.
   */
  ask(asked: Asked, options?: { mayRepeat?: boolean }): Promise<Seen | null>;
}

/** A client with an API key. Some POSTs it sends twice, at once or one after the other: one effect is expected. */
export function createClient(options: {
  baseUrl: string;
  secret: () => string;
  journal: Journal;
  choices: Choices;
}): Client {
  const { baseUrl, secret, journal, choices } = options;
  return {
    async ask(asked, { mayRepeat = true } = {}) {
      const isPost = asked.method === 'POST';
      const reference = randomUUID();
      const headers = { ...(isPost && { 'idempotency-key': reference }), ...asked.headers };
      const attempt = () =>
        untilDefinite(journal, baseUrl, { ...asked, headers, secret }, reference);
      if (!isPost || !mayRepeat || !choices.chance(0.06)) return attempt();
      const atOnce = choices.chance(0.5);
      const first = attempt();
      if (!atOnce) await first;
      const [one, other] = await Promise.all([first, attempt()]);
      compare(journal, asked, one, other);
      return one ?? other;
    },
  };
}

/** Sends one request, and again until it has been decided. */
export async function untilDefinite(
  journal: Journal,
  baseUrl: string,
  asked: Asked,
  reference: string,
): Promise<Seen | null> {
  const deadline = performance.now() + REPEAT_FOR_MS;
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 800)) {
    const seen = await once(journal, baseUrl, asked);
    if (seen && isDefinite(seen)) {
      if (seen.status < 300) journal.facts.push(...factsIn(seen.body));
      return seen;
    }
    if (performance.now() > deadline) {
      journal.unknown.push({ operation: asked.operation, reference });
      return null;
    }
    await delay(pauseMs);
  }
}

/** Sends one request once, and judges what came. Null where nothing did. */
export async function once(journal: Journal, baseUrl: string, asked: Asked): Promise<Seen | null> {
  const { operation, owner } = asked;
  const sentAt = performance.now();
  const refused = (status: 503 | 504 | 'cut' | 'silence') =>
    journal.refusals.push({ operation, owner, status, sentAt, answeredAt: performance.now() });
  try {
    const seen = await send(baseUrl, asked);
    journal.count(operation, String(seen.status));
    if (seen.status === 503 || seen.status === 504) refused(seen.status);
    const wrong = whatIsWrong(seen);
    if (wrong)
      journal.breaks('an answer is not what integrators were promised', {
        operation,
        wrong,
        ...seen,
      });
    return seen;
  } catch (error) {
    const what = (error as Error).name === 'TimeoutError' ? 'silence' : 'cut';
    journal.count(operation, what);
    refused(what);
    return null;
  }
}

async function send(
  baseUrl: string,
  { method, path, body, headers, secret }: Asked,
): Promise<Seen> {
  const payload = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const response = await fetch(new URL(path, baseUrl), {
    method,
    headers: {
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...(secret && { authorization: `Bearer ${secret()}` }),
      ...headers,
    },
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(payload !== undefined && { body: payload }),
  });
  const text = await response.text();
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: parse(text),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function compare(journal: Journal, asked: Asked, one: Seen | null, other: Seen | null): void {
  if (!one || !other) return;
  const [first, second] = [one, other].map((seen) => `${seen.status} ${idsIn(seen.body)}`);
  if (first === second) return;
  if (factsIn(one.body).some(({ id }) => journal.lost.has(id))) return;
  const { operation, path } = asked;
  journal.breaks('a repeated request had an effect of its own', { operation, path, first, second });
}

const idsIn = (body: unknown): string =>
  factsIn(body)
    .map(({ id }) => id)
    .join();
