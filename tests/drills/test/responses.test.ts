import { describe, expect, test } from 'vitest';
import { responseFindings } from '../check.ts';
import { createHistory } from '../history/history.ts';
import {
  contractViolation,
  type FailedRequest,
  type FaultWindow,
  isDefinite,
  type ObservedResponse,
  type RepeatOutcome,
  unexplainedFailures,
  wrongRepeats,
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

describe('an observed response', () => {
  test.each<[what: string, seen: ObservedResponse, wrong: string | null]>([
    ['with success', seen(201, { id: 'x' }), null],
    ['without JSON', seen(200, undefined), 'the body is not JSON'],
    ['with a redirect', seen(302, {}), 'the response is a redirect'],
    ['with an envelope', seen(404, envelope(404, 'NOT_FOUND')), null],
    ['with details', seen(412, envelope(412, 'FAILED_PRECONDITION', { details: [{}] })), null],
    ['with ALREADY_EXISTS', seen(409, envelope(409, 'ALREADY_EXISTS')), null],
    ['with ABORTED', seen(409, envelope(409, 'ABORTED')), null],
    [
      'without an envelope',
      seen(404, { message: 'Not Found' }),
      'the body is not exactly an envelope',
    ],
    [
      'with more than the envelope',
      seen(404, { ...envelope(404, 'NOT_FOUND'), stack: '' }),
      'the body is not exactly an envelope',
    ],
    ['with another code', seen(404, envelope(400, 'NOT_FOUND')), 'the envelope says 400'],
    ['with another status word', seen(404, envelope(404, 'GONE')), 'the envelope says GONE'],
    [
      'without a message',
      seen(404, { error: { code: 404, status: 'NOT_FOUND' } }),
      'the envelope has no message',
    ],
    [
      'with details that are not a list',
      seen(404, envelope(404, 'NOT_FOUND', { details: {} })),
      'the details are not a list',
    ],
    [
      'with 401 for a valid key',
      seen(401, envelope(401, 'UNAUTHENTICATED')),
      'a valid key was rejected',
    ],
    ['with 500', seen(500, envelope(500, 'INTERNAL')), 'a 500'],
    ['with 502', seen(502, envelope(502, 'BAD')), 'a 502'],
    ['with 503 and Retry-After', seen(503, envelope(503, 'UNAVAILABLE'), '1'), null],
    [
      'with 503 without Retry-After',
      seen(503, envelope(503, 'UNAVAILABLE')),
      'a 503 without Retry-After',
    ],
    ['with 504', seen(504, envelope(504, 'DEADLINE_EXCEEDED')), null],
  ])('%s is validated against the contract', (_, response, wrong) => {
    expect(contractViolation(response)).toBe(wrong);
  });

  test('401 follows the contract for a credential that may have been revoked', () => {
    const rejected = seen(401, envelope(401, 'UNAUTHENTICATED'));
    expect(contractViolation(rejected, { mayBeRevoked: true })).toBeNull();
    const bare = contractViolation(seen(401, {}), { mayBeRevoked: true });
    expect(bare).toBe('the body is not exactly an envelope');
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

describe('requests with the same idempotency key', () => {
  const created = (ids: string): RepeatOutcome => ({ status: 201, ids });
  const refused = (status: number): RepeatOutcome => ({ status, ids: '' });
  const repeated = (outcomes: RepeatOutcome[], sentAt: number, respondedAt: number) => [
    {
      operation: 'confirm order',
      owner: 'commerce' as const,
      path: '/',
      outcomes,
      sentAt,
      respondedAt,
    },
  ];
  const fault = { fault: 'a fault', beganAt: 10_000, recoveredAt: 20_000 };

  test.each<[what: string, outcomes: RepeatOutcome[], hasOneEffect: boolean]>([
    ['the same success twice', [created('a'), created('a')], true],
    ['two effects', [created('a'), created('b')], false],
    ['two refusals', [refused(412), refused(412)], true],
    ['two refusals for different reasons', [refused(412), refused(409)], true],
    ['a repeated success after a refusal', [refused(412), created('a'), created('a')], true],
    ['two effects after a refusal', [refused(412), created('a'), created('b')], false],
    ['a refusal after a success', [created('a'), refused(412)], false],
    ['two effects around a refusal', [created('a'), refused(412), created('b')], false],
    ['another status after a success', [created('a'), { status: 200, ids: 'a' }], false],
    ['one response', [created('a')], true],
    ['no response', [], true],
  ])('and %s have one effect: %3$s', (_, outcomes, hasOneEffect) => {
    expect(wrongRepeats(repeated(outcomes, 1, 2), []).length === 0).toBe(hasOneEffect);
  });

  test.each<
    [
      when: string,
      affects: FaultWindow['affects'],
      sentAt: number,
      respondedAt: number,
      isExplained: boolean,
    ]
  >([
    ['during a fault of the owner', ['commerce'], 12_000, 13_000, true],
    ['across a fault of the owner', ['commerce'], 9000, 25_000, true],
    ['before the fault', ['commerce'], 8000, 9000, false],
    ['long after the recovery', ['commerce'], 22_000, 23_000, false],
    ['during a fault of another service', ['catalog'], 12_000, 13_000, false],
  ])('may be refused after a success %s: %5$s', (_, affects, sentAt, respondedAt, isExplained) => {
    const windows = [{ ...fault, affects }];
    const refusedAfterwards = repeated([created('a'), refused(412)], sentAt, respondedAt);
    expect(wrongRepeats(refusedAfterwards, windows).length === 0).toBe(isExplained);
    expect(
      wrongRepeats(repeated([created('a'), created('b')], sentAt, respondedAt), windows),
    ).toHaveLength(1);
  });
});

describe('a failed request', () => {
  const faultWindow = (affects: FaultWindow['affects']): FaultWindow => ({
    fault: 'a fault',
    affects,
    beganAt: 10_000,
    recoveredAt: 20_000,
  });
  const failedRequest = (more: Partial<FailedRequest> = {}): FailedRequest => ({
    operation: 'read',
    owner: 'catalog',
    status: 503,
    sentAt: 12_000,
    respondedAt: 12_500,
    ...more,
  });
  const at = (sentAt: number, respondedAt: number) => ({ sentAt, respondedAt });

  test.each<
    [what: string, failedRequest: FailedRequest, faultWindow: FaultWindow, excused: boolean]
  >([
    ['while its owner is unavailable', failedRequest(), faultWindow(['catalog']), true],
    ['while another service is unavailable', failedRequest(), faultWindow(['onsite']), false],
    ['without a fault', failedRequest(), faultWindow([]), false],
    [
      'that was sent before the fault',
      failedRequest(at(9000, 10_500)),
      faultWindow(['catalog']),
      true,
    ],
    ['that ended before the fault', failedRequest(at(8000, 9900)), faultWindow(['catalog']), false],
    [
      'shortly after the recovery',
      failedRequest(at(20_900, 21_500)),
      faultWindow(['catalog']),
      true,
    ],
    ['long after the recovery', failedRequest(at(21_100, 21_500)), faultWindow(['catalog']), false],
    [
      'with a closed connection while the gateway is unavailable',
      failedRequest({ status: 'cut' }),
      faultWindow(['gateway']),
      true,
    ],
    [
      'with a closed connection while the service is unavailable',
      failedRequest({ status: 'cut' }),
      faultWindow(['catalog']),
      false,
    ],
    [
      'of the provider',
      failedRequest({ status: 'cut', owner: 'provider' }),
      faultWindow(['provider']),
      true,
    ],
    [
      'with a closed connection while the gateway drains',
      failedRequest({ status: 'cut', ...at(10_100, 10_200) }),
      { ...faultWindow(['gateway']), isGraceful: true },
      true,
    ],
    [
      'with a closed connection that was in progress when the drain began',
      failedRequest({ status: 'cut', ...at(9000, 10_500) }),
      { ...faultWindow(['gateway']), isGraceful: true },
      false,
    ],
    [
      'without a response',
      failedRequest({ status: 'timeout' }),
      faultWindow(['catalog', 'gateway']),
      false,
    ],
  ])('%s is explained by a fault or not', (_, each, when, excused) => {
    expect(unexplainedFailures([each], [when])).toEqual(excused ? [] : [each]);
  });
});

test('responseFindings reports a request without a definite response', () => {
  const brokenIn = (history: ReturnType<typeof createHistory>) =>
    responseFindings(history, []).filter(({ isBroken }) => isBroken);
  const history = createHistory();
  expect(brokenIn(history)).toEqual([]);
  const undecided = { operation: 'register', reference: 'a' };
  history.unknown.push(undecided);
  expect(brokenIn(history)).toMatchObject([
    { title: 'every request has a definite response', rows: [undecided] },
  ]);
});
