import exec from 'k6/execution';
import { bodyOf, call, eventPath, pay, untilPaid } from './lib/api.ts';
import { testData } from './lib/test-data.ts';
import { commonThresholds, summaryTrendStats } from './lib/thresholds.ts';

export { handleSummary } from './lib/summary.ts';

/**
 * Of three orders, one is free and confirmed, one is paid on the hosted page and one is cancelled.
 * Confirmations and cancellations are sent twice.
 */
export const options = {
  scenarios: {
    orders: {
      executor: 'ramping-arrival-rate',
      startRate: 1,
      timeUnit: '1s',
      preAllocatedVUs: 100,
      stages: [
        { duration: '10s', target: testData.rate },
        { duration: `${testData.seconds}s`, target: testData.rate },
      ],
    },
  },
  thresholds: { ...commonThresholds, http_req_duration: ['p(95)<500', 'p(99)<1500'] },
  summaryTrendStats,
};

const returnTo = { successUrl: 'https://shop.example/paid', cancelUrl: 'https://shop.example/' };

export default function order(): void {
  const turn = exec.scenario.iterationInTest;
  const kind = (['free', 'paid', 'cancelled'] as const)[turn % 3];
  const path = `${eventPath()}/orders`;
  const itemId = kind === 'paid' ? testData.paidTypeId : testData.ticketTypeId;
  const placed = call('placeOrder', 'POST', path, {
    turn,
    statuses: [201],
    body: {
      email: `order-${testData.run}-${turn}@example.com`,
      items: [{ itemType: 'registration_type', itemId }],
    },
  });
  const { orderNumber } = bodyOf(placed);
  const step = kind === 'cancelled' ? 'cancel' : 'confirm';
  const body = kind === 'paid' ? returnTo : {};
  const done = call(step, 'POST', `${path}/${orderNumber}/${step}`, { turn, body });
  call(`${step} again`, 'POST', `${path}/${orderNumber}/${step}`, { turn, body });
  if (kind === 'paid') pay(String(bodyOf(done).paymentUrl));
  if (kind !== 'cancelled') untilPaid(`${path}/${orderNumber}`, turn);
}
