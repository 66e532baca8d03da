import { describe, expect, test } from 'vitest';
import {
  afterProbe,
  afterResponse,
  afterTimeout,
  type BreakerState,
  closedBreaker,
  decideAdmission,
} from './breaker.rules.ts';

const limits = { maxTimeouts: 3, pauseMs: 1000, probeMs: 9000 };

type Event =
  | ['timeout', sentAt: number, now: number]
  | ['response', now: number]
  | ['probe', number];

const apply = (state: BreakerState, event: Event): BreakerState => {
  if (event[0] === 'response') return afterResponse(event[1]);
  if (event[0] === 'probe') return afterProbe(state, event[1], limits);
  return afterTimeout(state, { sentAt: event[1], now: event[2] }, limits);
};

const threeTimeouts: Event[] = [
  ['timeout', 100, 8100],
  ['timeout', 200, 8200],
  ['timeout', 300, 8300],
];

describe('requests to a service', () => {
  test.each<[string, Event[], number, string]>([
    ['are sent at first', [], 0, 'send'],
    ['are sent after two timeouts', threeTimeouts.slice(0, 2), 8300, 'send'],
    ['are rejected after three timeouts in a row', threeTimeouts, 8301, 'reject'],
    [
      'are sent if a response is among three timeouts',
      [...threeTimeouts.slice(0, 2), ['response', 8250], ['timeout', 8260, 16_260]],
      16_300,
      'send',
    ],
    ['are rejected until the pause ends', threeTimeouts, 9299, 'reject'],
    ['are probed after the pause', threeTimeouts, 9300, 'probe'],
    ['are rejected beside a probe', [...threeTimeouts, ['probe', 9300]], 9301, 'reject'],
    [
      'are probed again after a probe without a result',
      [...threeTimeouts, ['probe', 9300]],
      18_300,
      'probe',
    ],
    [
      'are rejected after the timeout of a probe',
      [...threeTimeouts, ['probe', 9300], ['timeout', 9300, 17_300]],
      18_299,
      'reject',
    ],
    [
      'are sent after the response to a probe',
      [...threeTimeouts, ['probe', 9300], ['response', 9310]],
      9311,
      'send',
    ],
    [
      'are sent although older requests time out after a response',
      [['response', 8000], ...threeTimeouts],
      8301,
      'send',
    ],
  ])('%s', (_, events, now, admission) => {
    expect(decideAdmission(events.reduce(apply, closedBreaker), now)).toBe(admission);
  });
});
