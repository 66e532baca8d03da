import exec from 'k6/execution';
import { bodyOf, call, eventPath } from './lib/api.ts';
import { given } from './lib/given.ts';
import { commonThresholds, summaryTrendStats } from './lib/shared.ts';

export { handleSummary } from './lib/summary.ts';

/** Free orders: two of three are confirmed and fulfilled, the third is cancelled; each step is asked for twice. */
export const options = {
  scenarios: {
    orders: {
      executor: 'ramping-arrival-rate',
      startRate: 1,
      timeUnit: '1s',
      preAllocatedVUs: 100,
      stages: [
        { duration: '10s', target: given.rate },
        { duration: `${given.seconds}s`, target: given.rate },
      ],
    },
  },
  thresholds: { ...commonThresholds, http_req_duration: ['p(95)<500', 'p(99)<1500'] },
  summaryTrendStats,
};

export default function order(): void {
  const turn = exec.scenario.iterationInTest;
  const path = `${eventPath()}/orders`;
  const placed = call('placeOrder', 'POST', path, {
    turn,
    statuses: [201],
    body: {
      email: `order-${given.run}-${turn}@example.com`,
      items: [{ itemType: 'registration_type', itemId: given.ticketTypeId }],
    },
  });
  const { orderNumber } = bodyOf(placed);
  const step = turn % 3 === 2 ? 'cancel' : 'confirm';
  call(step, 'POST', `${path}/${orderNumber}/${step}`, { turn, body: {} });
  call(`${step} again`, 'POST', `${path}/${orderNumber}/${step}`, { turn, body: {} });
  call('readOrder', 'GET', `${path}/${orderNumber}`, { turn });
}
