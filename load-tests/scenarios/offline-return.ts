import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { bodyOf, call, eventPath } from './lib/api.ts';
import { currentTimeMs } from './lib/clock.ts';
import { event, testData } from './lib/test-data.ts';
import { atLeast, commonThresholds, exactly, summaryTrendStats } from './lib/thresholds.ts';

export { handleSummary } from './lib/summary.ts';

const recorded = new Counter('scans_recorded');
const postponed = new Counter('batches_postponed');
const admitted = new Counter('admitted');

const { rate, seconds, run } = testData;
const { badges = [], devices = [], doors = [] } = event;
const returnSeconds = 10;

/**
 * Every device comes back within ten seconds and sends a scan of each badge at its door. After a
 * 503 it sends them again ten seconds later: every virtual user of `returning` is a device.
 * Meanwhile people are scanned one by one at the doors without such a device. No scan is lost or
 * rejected.
 */
export const options = {
  scenarios: {
    returning: {
      executor: 'constant-arrival-rate',
      exec: 'sendBatch',
      rate: devices.length / returnSeconds,
      timeUnit: '1s',
      duration: `${seconds}s`,
      preAllocatedVUs: devices.length,
    },
    others: {
      executor: 'constant-arrival-rate',
      exec: 'scan',
      rate,
      timeUnit: '1s',
      duration: `${seconds}s`,
      preAllocatedVUs: 50,
    },
  },
  thresholds: {
    ...commonThresholds,
    'http_req_duration{name:checkIn}': ['p(99)<100'],
    'http_req_duration{name:sendBatch}': ['p(99)<5000'],
    scans_recorded: exactly(devices.length * badges.length),
    admitted: atLeast(rate * seconds * 0.99),
  },
  summaryTrendStats,
};

/** Whether this device has sent its scans. */
let isSent = false;

/** One scan of each badge, a second apart, the last one a minute ago. */
export function sendBatch(): void {
  const number = exec.vu.idInTest % devices.length;
  const device = devices[number];
  if (!device || isSent) return;
  const now = currentTimeMs();
  const scans = badges.map((checkinCode, n) => ({
    scanId: `${run}-${number}-${n}`,
    checkinCode,
    ...device.door,
    scannedAt: new Date(now - 60_000 - (badges.length - n) * 1000).toISOString(),
    decision: 'admitted',
  }));
  const response = call('sendBatch', 'POST', `${eventPath()}/checkins/batch`, {
    token: device.token,
    statuses: [200, 503],
    body: { sentAt: new Date(now).toISOString(), scans },
  });
  isSent = response.status === 200;
  if (!isSent) {
    postponed.add(1);
    return;
  }
  const { results = [] } = bodyOf(response) as { results?: { result: string }[] };
  recorded.add(results.filter(({ result }) => result === 'recorded').length);
}

/** A scan at a door without a device, of a badge that was not scanned there before. */
export function scan(): void {
  const turn = exec.scenario.iterationInTest;
  const door = doors[devices.length + Math.floor(turn / badges.length)];
  const response = call('checkIn', 'POST', `${eventPath()}/checkins`, {
    turn,
    kind: 'checkin',
    statuses: [201],
    body: { checkinCode: badges[turn % badges.length], ...door },
  });
  if (response.status === 201) admitted.add(1);
}
