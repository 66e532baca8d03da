import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { bodyOf, call, eventPath } from './lib/api.ts';
import { placeOf } from './lib/scans.ts';
import { testData } from './lib/test-data.ts';
import { commonThresholds, summaryTrendStats } from './lib/thresholds.ts';

export { handleSummary } from './lib/summary.ts';

const admitted = new Counter('admitted');
const repeated = new Counter('scanned_again');
const misjudged = new Counter('misjudged');

/**
 * Increases from zero to the full rate in thirty seconds, at many doors. Every fifth scan repeats
 * an earlier one.
 */
export const options = {
  scenarios: {
    doors: {
      executor: 'ramping-arrival-rate',
      startRate: 0,
      timeUnit: '1s',
      preAllocatedVUs: 300,
      stages: [
        { duration: '30s', target: testData.rate },
        { duration: `${testData.seconds}s`, target: testData.rate },
      ],
    },
  },
  thresholds: {
    ...commonThresholds,
    'http_req_duration{name:checkIn}': ['p(99)<500'],
    admitted: ['count>0'],
    scanned_again: ['count>0'],
    misjudged: ['count==0'],
  },
  summaryTrendStats,
};

export default function scan(): void {
  const turn = exec.scenario.iterationInTest;
  const { place } = placeOf(turn);
  const badge = testData.badges[place % testData.badges.length];
  const door = testData.doors[Math.floor(place / testData.badges.length) % testData.doors.length];
  const response = call('checkIn', 'POST', `${eventPath()}/checkins`, {
    turn,
    statuses: [200, 201],
    body: { checkinCode: badge, ...door },
  });
  const { alreadyCheckedIn } = bodyOf(response);
  if (response.status === 201 && alreadyCheckedIn === false) admitted.add(1);
  else if (response.status === 200 && alreadyCheckedIn === true) repeated.add(1);
  else misjudged.add(1);
}
