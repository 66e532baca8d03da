import exec from 'k6/execution';
import { call, eventPath } from './lib/api.ts';
import { event, testData } from './lib/test-data.ts';
import { commonThresholds, summaryTrendStats } from './lib/thresholds.ts';

export { handleSummary } from './lib/summary.ts';

/** Reads only, as the pages of a ticket shop send them. */
export const options = {
  scenarios: {
    browse: {
      executor: 'ramping-arrival-rate',
      startRate: 1,
      timeUnit: '1s',
      preAllocatedVUs: 100,
      stages: [
        { duration: '5s', target: testData.rate },
        { duration: `${testData.seconds}s`, target: testData.rate },
      ],
    },
  },
  thresholds: commonThresholds,
  summaryTrendStats,
};

const pages = [
  ['listEvents', () => '/v1/events?limit=20'],
  ['readEvent', eventPath],
  ['listTicketTypes', () => `${eventPath()}/ticket-types`],
  ['readTicketType', () => `${eventPath()}/ticket-types/${event.ticketTypeId}`],
  ['readAvailability', () => `${eventPath()}/ticket-types/${event.ticketTypeId}/availability`],
  ['listAddons', () => `${eventPath()}/addons`],
] as const;

export default function browse(): void {
  const turn = exec.scenario.iterationInTest;
  const [name, path] = pages[turn % pages.length] ?? pages[0];
  call(name, 'GET', path(), { turn });
}
