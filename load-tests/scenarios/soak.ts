import exec from 'k6/execution';
import { bodyOf, call, eventPath } from './lib/api.ts';
import { given } from './lib/given.ts';
import { commonThresholds, summaryTrendStats } from './lib/shared.ts';

export { handleSummary } from './lib/summary.ts';

/** A day's mixture at an even pace, for as long as one cares to wait: nine reads, then somebody comes or goes. */
export const options = {
  scenarios: {
    day: {
      executor: 'constant-arrival-rate',
      rate: given.rate,
      duration: `${given.seconds}s`,
      preAllocatedVUs: 50,
    },
  },
  thresholds: { ...commonThresholds, http_req_duration: ['p(99)<500'] },
  summaryTrendStats,
};

export default function day(): void {
  const turn = exec.scenario.iterationInTest;
  const path = eventPath();
  if (turn % 10 !== 9) {
    const page = ['', '/ticket-types', '/registrations?limit=20'][turn % 3] ?? '';
    call(`read${page.replace(/\?.*/, '')}`, 'GET', `${path}${page}`, { turn });
    return;
  }
  const made = call('register', 'POST', `${path}/registrations`, {
    turn,
    statuses: [201],
    body: {
      email: `soak-${given.run}-${turn}@example.com`,
      registrationTypeId: given.ticketTypeId,
    },
  });
  const { id } = bodyOf(made).registration as { id: string };
  if (turn % 20 === 9)
    call('cancelRegistration', 'POST', `${path}/registrations/${id}/cancel`, { turn });
}
