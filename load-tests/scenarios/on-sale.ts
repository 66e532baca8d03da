import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { bodyOf, call, eventPath } from './lib/api.ts';
import { given } from './lib/given.ts';
import { commonThresholds, summaryTrendStats } from './lib/shared.ts';

export { handleSummary } from './lib/summary.ts';

const sold = new Counter('seats_sold');
const refused = new Counter('buyers_refused');

/**
 * Far more buyers than seats, all at once, every other one by an order that is placed and confirmed: exactly the seats are
 * sold, and everybody gets an answer.
 */
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
  const byOrder = turn % 2 === 1;
  const answer = byOrder ? placeOrder(turn) : register(turn);
  if (answer.status === 412) {
    const { details = [] } = (bodyOf(answer).error ?? {}) as { details?: { reason: string }[] };
    if (details[0]?.reason === 'SOLD_OUT') refused.add(1);
    return;
  }
  if (answer.status === 201 && (!byOrder || isConfirmed(turn, bodyOf(answer)))) sold.add(1);
}

const email = (turn: number) => `buyer-${given.run}-${turn}@example.com`;

const register = (turn: number) =>
  call('register', 'POST', `${eventPath()}/registrations`, {
    turn,
    statuses: [201, 412],
    body: { email: email(turn), registrationTypeId: given.scarceTypeId },
  });

const placeOrder = (turn: number) =>
  call('placeOrder', 'POST', `${eventPath()}/orders`, {
    turn,
    statuses: [201, 412],
    body: {
      email: email(turn),
      items: [{ itemType: 'registration_type', itemId: given.scarceTypeId }],
    },
  });

function isConfirmed(turn: number, { orderNumber }: Record<string, unknown>): boolean {
  const path = `${eventPath()}/orders/${orderNumber}/confirm`;
  const confirmed = call('confirm', 'POST', path, { turn, body: {} });
  return bodyOf(confirmed).status === 'paid';
}
