import { describe, expect, test } from 'vitest';
import { responseFindings } from '../check.ts';
import { createHistory } from '../history/history.ts';
import {
  contractViolation,
  type FaultWindow,
  isDefinite,
  type ObservedResponse,
  type Refusal,
  unexplainedFailures,
} from '../history/responses.ts';

const envelope = (code: number, status: string, more: object = {}) => ({
  error: { code, status, message: 'Why', ...more },
});
const seen = (
  status: number,
  body: unknown,
  retryAfter: string | null = null,
): ObservedResponse => ({
  status,
  body,
  retryAfter,
});

describe('an answer', () => {
  test.each<[what: string, seen: ObservedResponse, wrong: string | null]>([
    ['of success', seen(201, { id: 'x' }), null],
    ['without JSON', seen(200, undefined), 'it is no JSON'],
    ['that leads elsewhere', seen(302, {}), 'it is a redirect'],
    ['in the envelope', seen(404, envelope(404, 'NOT_FOUND')), null],
    ['with details', seen(412, envelope(412, 'FAILED_PRECONDITION', { details: [{}] })), null],
    ['of a conflict', seen(409, envelope(409, 'ALREADY_EXISTS')), null],
    ['to wait for', seen(409, envelope(409, 'ABORTED')), null],
    ['of a proxy', seen(404, { message: 'Not Found' }), 'more or less than an envelope'],
    [
      'with more than the envelope',
      seen(404, { ...envelope(404, 'NOT_FOUND'), stack: '' }),
      'more or less than an envelope',
    ],
    ['with another code', seen(404, envelope(400, 'NOT_FOUND')), 'the envelope says 400'],
    ['with another word', seen(404, envelope(404, 'GONE')), 'the envelope says GONE'],
    [
      'without a message',
      seen(404, { error: { code: 404, status: 'NOT_FOUND' } }),
      'the envelope has no message',
    ],
    [
      'with odd details',
      seen(404, envelope(404, 'NOT_FOUND', { details: {} })),
      'the details are no list',
    ],
    [
      'that refuses the key',
      seen(401, envelope(401, 'UNAUTHENTICATED')),
      'a valid key was refused',
    ],
    ['of a fault of ours', seen(500, envelope(500, 'INTERNAL')), 'a 500'],
    ['of a bad gateway', seen(502, envelope(502, 'BAD')), 'a 502'],
    ['of absence', seen(503, envelope(503, 'UNAVAILABLE'), '1'), null],
    ['of absence for ever', seen(503, envelope(503, 'UNAVAILABLE')), 'a 503 without Retry-After'],
    ['of slowness', seen(504, envelope(504, 'DEADLINE_EXCEEDED')), null],
  ])('%s is judged', (_, response, wrong) => {
    expect(contractViolation(response)).toBe(wrong);
  });

  test.each<[status: number, body: unknown, definite: boolean]>([
    [201, {}, true],
    [404, envelope(404, 'NOT_FOUND'), true],
    [409, envelope(409, 'ALREADY_EXISTS'), true],
    [409, envelope(409, 'ABORTED'), false],
    [412, envelope(412, 'FAILED_PRECONDITION'), true],
    [429, envelope(429, 'RESOURCE_EXHAUSTED'), false],
    [503, envelope(503, 'UNAVAILABLE'), false],
    [504, envelope(504, 'DEADLINE_EXCEEDED'), false],
  ])('%i %j is definite: %s', (status, body, definite) => {
    expect(isDefinite(seen(status, body))).toBe(definite);
  });
});

describe('a refusal', () => {
  const season = (affects: FaultWindow['affects']): FaultWindow => ({
    fault: 'a fault',
    affects,
    beganAt: 10_000,
    recoveredAt: 20_000,
  });
  const refusal = (more: Partial<Refusal> = {}): Refusal => ({
    operation: 'read',
    owner: 'catalog',
    status: 503,
    sentAt: 12_000,
    respondedAt: 12_500,
    ...more,
  });
  const at = (sentAt: number, respondedAt: number) => ({ sentAt, respondedAt });

  test.each<[what: string, refusal: Refusal, season: FaultWindow, excused: boolean]>([
    ['while its owner is away', refusal(), season(['catalog']), true],
    ['while another is away', refusal(), season(['onsite']), false],
    ['while nobody is', refusal(), season([]), false],
    ['of a request that began before', refusal(at(9000, 10_500)), season(['catalog']), true],
    ['that was answered before', refusal(at(8000, 9900)), season(['catalog']), false],
    ['just after the recovery', refusal(at(20_900, 21_500)), season(['catalog']), true],
    ['long after the recovery', refusal(at(21_100, 21_500)), season(['catalog']), false],
    [
      'by a closed connection while the gateway is away',
      refusal({ status: 'cut' }),
      season(['gateway']),
      true,
    ],
    [
      'by a closed connection while the service is away',
      refusal({ status: 'cut' }),
      season(['catalog']),
      false,
    ],
    ['by the provider', refusal({ status: 'cut', owner: 'provider' }), season(['provider']), true],
    [
      'by a closed connection while the gateway drains',
      refusal({ status: 'cut', ...at(10_100, 10_200) }),
      { ...season(['gateway']), isGraceful: true },
      true,
    ],
    [
      'by a closed connection of a request that was being answered when the gateway began to drain',
      refusal({ status: 'cut', ...at(9000, 10_500) }),
      { ...season(['gateway']), isGraceful: true },
      false,
    ],
    ['by silence', refusal({ status: 'silence' }), season(['catalog', 'gateway']), false],
  ])('%s is excused or not', (_, each, when, excused) => {
    expect(unexplainedFailures([each], [when])).toEqual(excused ? [] : [each]);
  });
});

test('a request that was never decided breaks a promise', () => {
  const brokenIn = (history: ReturnType<typeof createHistory>) =>
    responseFindings(history, []).filter(({ isBroken }) => isBroken);
  const history = createHistory();
  expect(brokenIn(history)).toEqual([]);
  const undecided = { operation: 'register', reference: 'a' };
  history.unknown.push(undecided);
  expect(brokenIn(history)).toMatchObject([
    { title: 'every request was decided in the end', rows: [undecided] },
  ]);
});
