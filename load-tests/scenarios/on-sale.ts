import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { bodyOf, call, eventPath } from './lib/api.ts';
import { given } from './lib/given.ts';
import { commonThresholds, summaryTrendStats } from './lib/shared.ts';

export { handleSummary } from './lib/summary.ts';

const sold = new Counter('seats_sold');
const refused = new Counter('buyers_refused');

/** Far more buyers than seats, all at once: exactly the seats are sold, and everybody gets an answer. */
export const options = {
  scenarios: {
    buyers: {
      executor: 'shared-iterations',
      vus: Math.min(given.buyers, 200),
      iterations: given.buyers,
      maxDuration: '60s',
    },
  },
  thresholds: {
    checks: commonThresholds.checks,
    http_req_failed: commonThresholds.http_req_failed,
    iterations: [`count==${given.buyers}`],
    seats_sold: [`count==${given.seats}`],
    buyers_refused: [`count==${given.buyers - given.seats}`],
    http_req_duration: ['p(99)<3000'],
  },
  summaryTrendStats,
};

export default function buy(): void {
  const turn = exec.scenario.iterationInTest;
  const answer = call('register', 'POST', `${eventPath()}/registrations`, {
    turn,
    statuses: [201, 412],
    body: {
      email: `buyer-${given.run}-${turn}@example.com`,
      registrationTypeId: given.scarceTypeId,
    },
  });
  if (answer.status === 201) {
    sold.add(1);
    return;
  }
  const { details = [] } = (bodyOf(answer).error ?? {}) as { details?: { reason: string }[] };
  if (details[0]?.reason === 'SOLD_OUT') refused.add(1);
}
