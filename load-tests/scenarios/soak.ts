import exec from 'k6/execution';
import { bodyOf, call, eventPath } from './lib/api.ts';
import { testData } from './lib/test-data.ts';
import { commonThresholds, summaryTrendStats } from './lib/thresholds.ts';

export { handleSummary } from './lib/summary.ts';

/**
 * A constant mix for as long as configured: of ten iterations, seven read, one scans, one buys and
 * one registers.
 */
export const options = {
  scenarios: {
    day: {
      executor: 'constant-arrival-rate',
      rate: testData.rate,
      duration: `${testData.seconds}s`,
      preAllocatedVUs: 50,
    },
  },
  thresholds: { ...commonThresholds, http_req_duration: ['p(99)<500'] },
  summaryTrendStats,
};

export default function day(): void {
  const turn = exec.scenario.iterationInTest;
  const moment = turn % 10;
  if (moment === 9) comeAndGo(turn);
  else if (moment === 8) buy(turn);
  else if (moment === 7) scan(turn);
  else read(turn);
}

const pages = ['', '/ticket-types', '/registrations?limit=20', '/checkins?limit=20'];

function read(turn: number): void {
  const page = pages[turn % pages.length] ?? '';
  call(`read${page.replace(/\?.*/, '')}`, 'GET', `${eventPath()}${page}`, { turn });
}

/** Registers a person. Every second registration is cancelled. */
function comeAndGo(turn: number): void {
  const path = `${eventPath()}/registrations`;
  const email = `soak-${testData.run}-${turn}@example.com`;
  const created = call('register', 'POST', path, {
    turn,
    statuses: [201],
    body: { email, registrationTypeId: testData.ticketTypeId },
  });
  const { id } = bodyOf(created).registration as { id: string };
  if (turn % 20 === 9) call('cancelRegistration', 'POST', `${path}/${id}/cancel`, { turn });
}

function buy(turn: number): void {
  const path = `${eventPath()}/orders`;
  const placed = call('placeOrder', 'POST', path, {
    turn,
    statuses: [201],
    body: {
      email: `soak-order-${testData.run}-${turn}@example.com`,
      items: [{ itemType: 'registration_type', itemId: testData.ticketTypeId }],
    },
  });
  call('confirm', 'POST', `${path}/${bodyOf(placed).orderNumber}/confirm`, { turn, body: {} });
}

function scan(turn: number): void {
  const badge = testData.badges[turn % testData.badges.length];
  const door = testData.doors[turn % testData.doors.length];
  const body = { checkinCode: badge, ...door };
  call('checkIn', 'POST', `${eventPath()}/checkins`, { turn, statuses: [200, 201], body });
}
