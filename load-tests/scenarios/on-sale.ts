import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { bodyOf, call, eventPath } from './lib/api.ts';
import { testData } from './lib/test-data.ts';
import { commonThresholds, summaryTrendStats } from './lib/thresholds.ts';

export { handleSummary } from './lib/summary.ts';

const sold = new Counter('seats_sold');
const rejected = new Counter('buyers_rejected');

/**
 * Far more buyers than seats, all at once, half of them with an order that is placed and confirmed.
 * Exactly the available seats are sold, and every request gets a response.
 */
export const options = {
  scenarios: {
    buyers: {
      executor: 'shared-iterations',
      vus: Math.min(testData.buyers, 200),
      iterations: testData.buyers,
      maxDuration: '60s',
    },
  },
  thresholds: {
    checks: commonThresholds.checks,
    http_req_failed: commonThresholds.http_req_failed,
    iterations: [`count==${testData.buyers}`],
    seats_sold: [`count==${testData.seats}`],
    buyers_rejected: [`count==${testData.buyers - testData.seats}`],
    http_req_duration: ['p(99)<3000'],
  },
  summaryTrendStats,
};

export default function buy(): void {
  const turn = exec.scenario.iterationInTest;
  const byOrder = turn % 2 === 1;
  const response = byOrder ? placeOrder(turn) : register(turn);
  if (response.status === 412) {
    const { details = [] } = (bodyOf(response).error ?? {}) as { details?: { reason: string }[] };
    if (details[0]?.reason === 'SOLD_OUT') rejected.add(1);
    return;
  }
  if (response.status === 201 && (!byOrder || isConfirmed(turn, bodyOf(response)))) sold.add(1);
}

const email = (turn: number) => `buyer-${testData.run}-${turn}@example.com`;

const register = (turn: number) =>
  call('register', 'POST', `${eventPath()}/registrations`, {
    turn,
    statuses: [201, 412],
    body: { email: email(turn), registrationTypeId: testData.scarceTypeId },
  });

const placeOrder = (turn: number) =>
  call('placeOrder', 'POST', `${eventPath()}/orders`, {
    turn,
    statuses: [201, 412],
    body: {
      email: email(turn),
      items: [{ itemType: 'registration_type', itemId: testData.scarceTypeId }],
    },
  });

function isConfirmed(turn: number, { orderNumber }: Record<string, unknown>): boolean {
  const path = `${eventPath()}/orders/${orderNumber}/confirm`;
  const confirmed = call('confirm', 'POST', path, { turn, body: {} });
  return bodyOf(confirmed).status === 'paid';
}
