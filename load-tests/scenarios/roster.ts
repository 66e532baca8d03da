import { check } from 'k6';
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { bodyOf, call, eventPath } from './lib/api.ts';
import { event, testData } from './lib/test-data.ts';
import { atLeast, commonThresholds, summaryTrendStats } from './lib/thresholds.ts';

export { handleSummary } from './lib/summary.ts';

const registered = new Counter('registered');
const compared = new Counter('rosters_compared');

const { rate, seconds, run } = testData;
const { devices = [], ticketTypeId } = event;
const pollSeconds = 5;
/** The devices go on polling after the last registration. */
const quietSeconds = 15;

/**
 * Every virtual user of `devices` is a scanner: it reads the roster whole, and then only what has
 * changed. After the last registration it compares what the changes have led to with the whole
 * roster.
 */
export const options = {
  scenarios: {
    devices: {
      executor: 'constant-arrival-rate',
      exec: 'poll',
      rate: devices.length / pollSeconds,
      timeUnit: '1s',
      duration: `${seconds + quietSeconds}s`,
      preAllocatedVUs: devices.length,
    },
    buyers: {
      executor: 'constant-arrival-rate',
      exec: 'register',
      rate,
      timeUnit: '1s',
      duration: `${seconds}s`,
      preAllocatedVUs: 50,
    },
  },
  thresholds: {
    ...commonThresholds,
    'http_req_duration{name:readChanges}': ['p(99)<300'],
    'http_req_duration{name:readWhole}': ['p(99)<3000'],
    registered: ['count>0'],
    rosters_compared: atLeast(devices.length),
  },
  summaryTrendStats,
};

interface Page {
  badges: { registrationId: string; status?: string; removed?: boolean }[];
  nextCursor: string;
  hasMore: boolean;
}

type Statuses = Map<string, string | undefined>;

/** What this virtual user has stored, as a device does. */
const stored: Statuses = new Map();
let cursor: string | null = null;

export function poll(): void {
  const device = devices[exec.vu.idInTest % devices.length];
  if (!device) return;
  cursor = readPages(cursor === null ? 'readWhole' : 'readChanges', device.token, cursor, stored);
  if (exec.scenario.progress < 1 - pollSeconds / (seconds + quietSeconds)) return;
  const whole: Statuses = new Map();
  readPages('readWhole', device.token, null, whole);
  check(stored, { 'the changes lead to the whole roster': () => areEqual(stored, whole) });
  compared.add(1);
}

/** Reads until nothing more follows. Returns the cursor, or the former one after a failure. */
function readPages(
  name: string,
  token: string,
  after: string | null,
  into: Statuses,
): string | null {
  let position = after;
  for (;;) {
    const query = position === null ? '' : `?cursor=${encodeURIComponent(position)}`;
    const response = call(name, 'GET', `${eventPath()}/checkins/roster${query}`, {
      token,
      // A roster is a file of thousands of badges and has a threshold of its own.
      kind: 'other',
    });
    if (response.status !== 200) return after;
    const { badges, nextCursor, hasMore } = bodyOf(response) as unknown as Page;
    for (const { registrationId, status, removed } of badges) {
      if (removed) into.delete(registrationId);
      else into.set(registrationId, status);
    }
    position = nextCursor;
    if (!hasMore) return position;
  }
}

const areEqual = (one: Statuses, other: Statuses): boolean =>
  one.size === other.size && [...one].every(([id, status]) => other.get(id) === status);

export function register(): void {
  const turn = exec.scenario.iterationInTest;
  const email = `walk-in-${run}-${turn}@example.com`;
  const response = call('register', 'POST', `${eventPath()}/registrations`, {
    turn,
    kind: 'order',
    statuses: [201],
    body: { email, registrationTypeId: ticketTypeId },
  });
  if (response.status === 201) registered.add(1);
}
