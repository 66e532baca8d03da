import exec from 'k6/execution';
import { bodyOf, call, eventPath } from './lib/api.ts';
import { event, testData } from './lib/test-data.ts';
import { commonThresholds, summaryTrendStats } from './lib/thresholds.ts';

export { handleSummary } from './lib/summary.ts';

/** Several reads, and a registration that is cancelled again. */
export const options = {
  scenarios: {
    smoke: {
      executor: 'constant-arrival-rate',
      rate: testData.rate,
      duration: `${testData.seconds}s`,
      preAllocatedVUs: 10,
    },
  },
  thresholds: commonThresholds,
  summaryTrendStats,
};

export default function smoke(): void {
  const turn = exec.scenario.iterationInTest;
  const path = eventPath();
  call('listEvents', 'GET', '/v1/events', { turn });
  call('readEvent', 'GET', path, { turn });
  call('listTicketTypes', 'GET', `${path}/ticket-types`, { turn });
  const created = call('register', 'POST', `${path}/registrations`, {
    turn,
    kind: 'order',
    statuses: [201],
    body: {
      email: `smoke-${testData.run}-${turn}@example.com`,
      registrationTypeId: event.ticketTypeId,
    },
  });
  if (created.status !== 201) return;
  const { id } = bodyOf(created).registration as { id: string };
  call('readRegistration', 'GET', `${path}/registrations/${id}`, { turn });
  call('readPerks', 'GET', `${path}/registrations/${id}/perks`, { turn });
  call('cancelRegistration', 'POST', `${path}/registrations/${id}/cancel`, { turn });
  call('readAvailability', 'GET', `${path}/ticket-types/${event.ticketTypeId}/availability`, {
    turn,
  });
}
