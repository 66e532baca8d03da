import exec from 'k6/execution';
import { bodyOf, call, eventPath, pay, untilPaid } from './lib/api.ts';
import { event, testData } from './lib/test-data.ts';
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
  thresholds: commonThresholds,
  summaryTrendStats,
};

const returnTo = { successUrl: 'https://shop.example/paid', cancelUrl: 'https://shop.example/' };

export default function order(): void {
  const turn = exec.scenario.iterationInTest;
  const kind = (['free', 'paid', 'cancelled'] as const)[turn % 3];
  const path = `${eventPath()}/orders`;
  const itemId = kind === 'paid' ? event.paidTypeId : event.ticketTypeId;
  const placed = call('placeOrder', 'POST', path, {
    turn,
    kind: 'order',
    statuses: [201],
    body: {
      email: `order-${testData.run}-${turn}@example.com`,
      items: [{ itemType: 'registration_type', itemId }],
    },
  });
  if (placed.status !== 201) return;
  const { orderNumber } = bodyOf(placed);
  const step = kind === 'cancelled' ? 'cancel' : 'confirm';
  const body = kind === 'paid' ? returnTo : {};
  const options = { turn, body, kind: 'order' } as const;
  const done = call(step, 'POST', `${path}/${orderNumber}/${step}`, options);
  call(`${step} again`, 'POST', `${path}/${orderNumber}/${step}`, options);
  if (done.status !== 200) return;
  if (kind === 'paid') pay(String(bodyOf(done).paymentUrl));
  if (kind !== 'cancelled') untilPaid(`${path}/${orderNumber}`, { turn });
}
