import exec from 'k6/execution';
import { bodyOf, call, eventPath } from './lib/api.ts';
import { event, testData } from './lib/test-data.ts';
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
  thresholds: commonThresholds,
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
    kind: 'order',
    statuses: [201],
    body: { email, registrationTypeId: event.ticketTypeId },
  });
  if (created.status !== 201) return;
  const { id } = bodyOf(created).registration as { id: string };
  if (turn % 20 === 9) call('cancelRegistration', 'POST', `${path}/${id}/cancel`, { turn });
}

function buy(turn: number): void {
  const path = `${eventPath()}/orders`;
  const placed = call('placeOrder', 'POST', path, {
    turn,
    kind: 'order',
    statuses: [201],
    body: {
      email: `soak-order-${testData.run}-${turn}@example.com`,
      items: [{ itemType: 'registration_type', itemId: event.ticketTypeId }],
    },
  });
  if (placed.status !== 201) return;
  const { orderNumber } = bodyOf(placed);
  call('confirm', 'POST', `${path}/${orderNumber}/confirm`, { turn, kind: 'order', body: {} });
}

function scan(turn: number): void {
  const badge = event.badges[turn % event.badges.length];
  const door = event.doors[turn % event.doors.length];
  const body = { checkinCode: badge, ...door };
  call('checkIn', 'POST', `${eventPath()}/checkins`, {
    turn,
    kind: 'checkin',
    statuses: [200, 201],
    body,
  });
}
