import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { bodyOf, call, pathOf } from './lib/api.ts';
import { buy } from './lib/buy.ts';
import { placeOf, scanAt } from './lib/scans.ts';
import { testData } from './lib/test-data.ts';
import { commonThresholds, summaryTrendStats } from './lib/thresholds.ts';

export { handleSummary } from './lib/summary.ts';

const admitted = new Counter('admitted');
const repeated = new Counter('scanned_again');
const misjudged = new Counter('misjudged');
const sold = new Counter('seats_sold');

const { events = [], rate, seconds } = testData;
const rampSeconds = 30;
const buyersPerSecond = 5;

/**
 * Increases from zero to the full rate in thirty seconds, at the doors of several events. Every
 * scanner has its own token. Every fifth scan repeats an earlier one. Beside it, seats are sold.
 */
export const options = {
  scenarios: {
    doors: {
      executor: 'ramping-arrival-rate',
      exec: 'scan',
      startRate: 0,
      timeUnit: '1s',
      preAllocatedVUs: 300,
      stages: [
        { duration: `${rampSeconds}s`, target: rate },
        { duration: `${seconds}s`, target: rate },
      ],
    },
    shop: {
      executor: 'constant-arrival-rate',
      exec: 'visit',
      rate: buyersPerSecond,
      timeUnit: '1s',
      duration: `${rampSeconds + seconds}s`,
      preAllocatedVUs: 50,
      maxVUs: 300,
      gracefulStop: '150s',
    },
  },
  thresholds: {
    ...commonThresholds,
    admitted: ['count>0'],
    scanned_again: ['count>0'],
    misjudged: ['count==0'],
    seats_sold: ['count>0'],
  },
  summaryTrendStats,
};

/** The scanner of a door scans a badge there. */
export function scan(): void {
  const turn = exec.scenario.iterationInTest;
  const found = scanAt(events, placeOf(turn).place);
  if (!found) return;
  const { event, badge, device } = found;
  const response = call('checkIn', 'POST', `${pathOf(event)}/checkins`, {
    kind: 'checkin',
    token: device.token,
    statuses: [200, 201],
    body: { checkinCode: badge, ...device.door },
  });
  const { alreadyCheckedIn } = bodyOf(response);
  if (response.status === 201 && alreadyCheckedIn === false) admitted.add(1);
  else if (response.status === 200 && alreadyCheckedIn === true) repeated.add(1);
  else if (response.status < 500) misjudged.add(1);
}

export function visit(): void {
  const turn = exec.scenario.iterationInTest;
  const event = events[turn % events.length];
  if (event && buy(event, turn) === 'paid') sold.add(1);
}
