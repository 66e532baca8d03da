import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timeouts } from '../timeouts.ts';
import {
  addRead,
  type FeedEntry,
  nextOf,
  type Progress,
  resolveLane,
  restoredProgress,
  watermarkOf,
} from './progress.rules.ts';
import { decideTargets, type EndpointState, healthy, type InFlight } from './targets.rules.ts';
import { type Delivery, decideOutcome, type Response } from './webhook-delivery.rules.ts';

const now = new Date('2027-05-10T07:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const context = { now, random: 0.5 };
const change = (sequence: number, objectId = 'a'): FeedEntry => ({
  ...{ sequence, objectId, id: `chg_${sequence}`, type: 'order.paid', entry: '{}' },
});
const reading = (...entries: FeedEntry[]): Progress =>
  addRead(restoredProgress(1, []), { entries, readTo: entries.at(-1)?.sequence ?? 0 });
const enabled = (changes: Partial<EndpointState> = {}): EndpointState => ({
  ...{ status: 'enabled', health: healthy, ping: null, replay: null, progress: reading(change(1)) },
  ...changes,
});
const delivery = (
  attempt: number,
  sent: Partial<Extract<Delivery, { kind: 'change' }>> = {},
): Delivery => ({ ...{ kind: 'change', change: change(1), attempt, isProbe: false }, ...sent });

const content = { contentType: null, body: '' };
const acknowledged: Response = { outcome: 'acknowledged', status: 200, content };
const rejected = (status = 500, retryAfterMs: number | null = null): Response => ({
  ...{ outcome: 'rejected', status, retryAfterMs, content },
});
const timedOut: Response = { outcome: 'unreachable', reason: 'timeout' };

describe('an acknowledged change', () => {
  test('moves the watermark and ends the failures', () => {
    const failing = { failures: 3, failingSince: now, backoffUntil: now, backoffAttempts: 2 };
    const outcome = decideOutcome(enabled({ health: failing }), delivery(1), acknowledged, context);
    expect(outcome).toMatchObject({ result: 'delivered', disable: null });
    expect(outcome.state.health).toEqual(healthy);
    expect(watermarkOf(outcome.state.progress)).toBe(1);
  });
});

describe('a failed change', () => {
  const pauses = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
  test.each(pauses.map((seconds, n) => [n + 1, seconds]))(
    'is retried after attempt %i in %i seconds, and its object waits',
    (attempt, seconds) => {
      const { state, result } = decideOutcome(enabled(), delivery(attempt), rejected(), context);
      expect(result).toBe('retrying');
      expect([...state.progress.lanes.values()]).toEqual([
        { objectId: 'a', sequence: 1, attempts: attempt, nextAt: later(seconds * 1000) },
      ]);
      expect([nextOf(state.progress), watermarkOf(state.progress)]).toEqual([2, 0]);
    },
  );

  test('is given up after the tenth attempt, and the watermark passes', () => {
    const parked = decideOutcome(enabled(), delivery(9), rejected(), context).state;
    const { state, result } = decideOutcome(parked, delivery(10), rejected(), context);
    expect(result).toBe('failed');
    expect(watermarkOf(state.progress)).toBe(1);
  });

  test('is retried up to 10 % earlier or later', () => {
    const retryIn = (random: number) => {
      const { state } = decideOutcome(enabled(), delivery(2), rejected(), { now, random });
      return (state.progress.lanes.get('a')?.nextAt.getTime() ?? 0) - now.getTime();
    };
    expect([retryIn(0), retryIn(1)]).toEqual([270_000, 330_000]);
  });

  test.each([
    ['a longer Retry-After', 60_000, 60_000],
    ['a shorter Retry-After', 1000, 5000],
    ['a Retry-After of more than a day', 48 * 3_600_000, 24 * 3_600_000],
  ])('with %s is retried then', (_, retryAfterMs, pauseMs) => {
    const { state } = decideOutcome(enabled(), delivery(1), rejected(500, retryAfterMs), context);
    expect(state.progress.lanes.get('a')?.nextAt).toEqual(later(pauseMs));
  });
});

describe('an endpoint', () => {
  const lanes = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      ...{ objectId: `o${n}`, sequence: n + 2, attempts: 1, nextAt: now },
    }));
  test.each<[string, Partial<EndpointState>, Response, boolean]>([
    ['backs off after a timeout', {}, timedOut, true],
    [
      'backs off after a failed connection',
      {},
      { outcome: 'unreachable', reason: 'connect' },
      true,
    ],
    ['backs off after a failed handshake', {}, { outcome: 'unreachable', reason: 'tls' }, true],
    ['backs off after a 429 with Retry-After', {}, rejected(429, 60_000), true],
    ['does not back off after a 429 without it', {}, rejected(429), false],
    ['does not back off after a 500', {}, rejected(), false],
    ['does not back off after a redirect', {}, rejected(302), false],
    [
      'does not back off after nine failures',
      { health: { ...healthy, failures: 8 } },
      rejected(),
      false,
    ],
    ['backs off after ten failures', { health: { ...healthy, failures: 9 } }, rejected(), true],
    [
      'does not back off with 1,000 lanes',
      { progress: restoredProgress(2, lanes(999)) },
      rejected(),
      false,
    ],
    [
      'backs off with more than 1,000 lanes',
      { progress: restoredProgress(2, lanes(1000)) },
      rejected(),
      true,
    ],
  ])('%s', (_, state, response, backsOff) => {
    const { health } = decideOutcome(enabled(state), delivery(1), response, context).state;
    expect(health.backoffUntil !== null).toBe(backsOff);
    expect(health.failingSince).toEqual(now);
  });

  test('does not back off because one change fails again and again', () => {
    let state = enabled();
    for (let attempt = 1; attempt <= 10; attempt++)
      state = decideOutcome(state, delivery(attempt), rejected(), context).state;
    expect(state.health).toMatchObject({ failures: 1, backoffUntil: null });
  });

  test('waits longer after each failed probe, but not because of requests that began before', () => {
    let { state } = decideOutcome(enabled(), delivery(1), timedOut, context);
    expect(state.health.backoffUntil).toEqual(later(5000));
    state = decideOutcome(state, delivery(1, { change: change(2, 'b') }), timedOut, context).state;
    expect(state.health).toMatchObject({ backoffAttempts: 1, backoffUntil: later(5000) });
    state = decideOutcome(state, delivery(2, { isProbe: true }), timedOut, context).state;
    expect(state.health).toMatchObject({ backoffAttempts: 2, backoffUntil: later(300_000) });
  });

  test.each<[string, number, number, Response, string | null]>([
    ['is disabled by a 410', 0, 1, rejected(410), 'gone'],
    ['is disabled after five days of failures', 5 * 24, 4, timedOut, 'failing'],
    ['is not disabled before', 5 * 24 - 1, 9, timedOut, null],
    ['is not disabled by the first failure after a silence', 10 * 24, 1, timedOut, null],
  ])('%s', (_, hours, attempt, response, disable) => {
    const health = { ...healthy, failingSince: later(-hours * 3_600_000) };
    const outcome = decideOutcome(enabled({ health }), delivery(attempt), response, context);
    expect(outcome.disable).toBe(disable);
  });
});

describe('a pending endpoint', () => {
  const ping = { id: 'png_1', attempts: 0, at: now, until: later(timeouts.pingRetryMs) };
  const pending = enabled({ status: 'pending', ping });
  const nothingSent: InFlight = { size: 0, objects: new Set(), hasPing: false, hasReplay: false };

  test('gets only its ping', () => {
    expect(decideTargets(pending, nothingSent, { now, allowance: 8 })).toEqual([
      { kind: 'ping', ping },
    ]);
  });

  test.each<[string, Date, number, Response, object]>([
    ['is enabled by a 2xx', now, 0, acknowledged, { state: { status: 'enabled', ping: null } }],
    [
      'is sent another ping after 5 s',
      now,
      0,
      rejected(),
      { state: { ping: { attempts: 1, at: later(5000) } } },
    ],
    [
      'is sent further pings every 5 min',
      now,
      3,
      timedOut,
      { state: { ping: { attempts: 4, at: later(300_000) } } },
    ],
    [
      'is sent the last ping at the end of the hour',
      later(3_500_000),
      9,
      timedOut,
      { state: { ping: { at: ping.until } } },
    ],
    ['is disabled after the hour', ping.until, 9, timedOut, { disable: 'ping_failed' }],
    ['is disabled by a 410', now, 0, rejected(410), { disable: 'gone' }],
  ])('%s', (_, at, attempts, response, expected) => {
    const sent = { ...ping, attempts };
    const outcome = decideOutcome(
      { ...pending, ping: sent },
      { kind: 'ping', ping: sent },
      response,
      {
        ...{ now: at, random: 0.5 },
      },
    );
    expect(outcome).toMatchObject(expected);
  });

  test('stays enabled when a test fails', () => {
    const outcome = decideOutcome(
      enabled({ ping }),
      { kind: 'ping', ping },
      rejected(410),
      context,
    );
    expect(outcome).toMatchObject({ result: 'failed', disable: null });
    expect(outcome.state).toMatchObject({ status: 'enabled', ping: null, health: healthy });
  });
});

/**
 * A run of an endpoint against a feed: random results, restarts from the stored state, and the
 * passing of time.
 */
const step = fc.record({
  kind: fc.constantFrom('ok', 'ok', 'ok', 'error', 'timeout', 'restart', 'wait'),
  nth: fc.nat(7),
});

describe('deliveries', () => {
  test('are in order per object and complete, and the watermark never passes an undelivered change', () => {
    const objects = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(objects, fc.array(step, { maxLength: 200 }), (feedObjects, steps) => {
        const feed = feedObjects.map((object, n) => change(n + 1, `o${object}`));
        const settled = new Set<number>();
        const run = createRun(feed, settled);
        for (const each of steps) run.step(each);
        run.finish();
        expect(settled.size).toBe(feed.length);
        expect(watermarkOf(run.state().progress)).toBe(feed.length);
        expect([...run.state().progress.lanes.keys()]).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

function createRun(feed: readonly FeedEntry[], settled: Set<number>) {
  let at = now;
  let random = 0;
  let state = enabled({ progress: restoredProgress(1, []) });
  let flying: Extract<Delivery, { kind: 'change' }>[] = [];

  /** Reads the feed and begins what is due, as the sender does. */
  function begin(): void {
    const { readTo } = state.progress;
    const entries = feed.filter(({ sequence }) => sequence > readTo).slice(0, 10);
    const read = { entries, readTo: entries.at(-1)?.sequence ?? readTo };
    state = { ...state, progress: addRead(state.progress, read) };
    for (let hasEnded = true; hasEnded; ) {
      hasEnded = false;
      const inFlight: InFlight = {
        ...{ size: flying.length, hasPing: false, hasReplay: false },
        objects: new Set(flying.map((each) => each.change.objectId)),
      };
      const isProbe = state.health.backoffUntil !== null;
      const targets = decideTargets(state, inFlight, { now: at, allowance: 8 - flying.length });
      for (const target of targets) {
        if (target.kind === 'change') flying.push({ ...target, attempt: 1, isProbe });
        if (target.kind !== 'lane') continue;
        const { lane } = target;
        const found = feed.find(
          ({ objectId, sequence }) =>
            objectId === lane.objectId &&
            sequence >= lane.sequence &&
            sequence <= state.progress.readTo,
        );
        state = { ...state, progress: resolveLane(state.progress, lane, found) };
        const attempts = found?.sequence === lane.sequence ? lane.attempts : 0;
        if (found) flying.push({ kind: 'change', change: found, attempt: attempts + 1, isProbe });
        else hasEnded = true;
      }
    }
    expect(new Set(flying.map((each) => each.change.objectId)).size).toBe(flying.length);
  }

  function end(nth: number, response: Response): void {
    const sent = flying[nth % Math.max(1, flying.length)];
    if (!sent) return;
    flying = flying.filter((each) => each !== sent);
    random = (random + 0.37) % 1;
    const outcome = decideOutcome(state, sent, response, { now: at, random });
    state = outcome.state;
    if (outcome.result !== 'retrying') settle(sent.change);
    expectSafe();
  }

  function settle({ sequence, objectId }: FeedEntry): void {
    // An acknowledged change may be repeated, but never before one that was not.
    const earlier = feed.filter((each) => each.objectId === objectId && each.sequence < sequence);
    expect(earlier.filter((each) => !settled.has(each.sequence))).toEqual([]);
    settled.add(sequence);
  }

  function expectSafe(): void {
    const undelivered = feed.find(({ sequence }) => !settled.has(sequence));
    if (undelivered) expect(watermarkOf(state.progress)).toBeLessThan(undelivered.sequence);
  }

  return {
    state: () => state,
    step({ kind, nth }: { kind: string; nth: number }) {
      begin();
      if (kind === 'ok') end(nth, acknowledged);
      else if (kind === 'error') end(nth, rejected());
      else if (kind === 'timeout') end(nth, timedOut);
      else if (kind === 'wait') at = new Date(at.getTime() + 3_600_000 * nth);
      else {
        flying = [];
        const { lanes } = state.progress;
        state = {
          ...state,
          progress: restoredProgress(nextOf(state.progress), [...lanes.values()]),
        };
        expectSafe();
      }
    },
    finish() {
      for (let round = 0; round < 500; round++) {
        at = new Date(at.getTime() + 25 * 3_600_000);
        begin();
        if (flying.length === 0 && settled.size === feed.length) return;
        while (flying.length > 0) end(0, acknowledged);
      }
    },
  };
}
