import { check } from 'k6';
import { Counter } from 'k6/metrics';
import { bodyOf, call, eventPath } from './lib/api.ts';
import { testData } from './lib/test-data.ts';
import { commonThresholds, summaryTrendStats } from './lib/thresholds.ts';

export { handleSummary } from './lib/summary.ts';

const LIMIT = 120;
const served = new Counter('served');
const denied = new Counter('denied');

/**
 * One default key exceeds its limit: 120 requests per minute are served, the others are rejected.
 */
export const options = {
  scenarios: {
    one_key: {
      executor: 'constant-arrival-rate',
      rate: testData.rate,
      duration: `${testData.seconds}s`,
      preAllocatedVUs: 10,
    },
  },
  thresholds: {
    ...commonThresholds,
    // The run may span two rate limit windows.
    served: [`count>=${LIMIT}`, `count<=${2 * LIMIT}`],
    denied: ['count>0'],
    'http_req_duration{status:429}': ['p(99)<200'],
  },
  summaryTrendStats,
};

export default function request(): void {
  const response = call('readEvent', 'GET', eventPath(), { statuses: [200, 429] });
  if (response.status === 200) {
    served.add(1);
    return;
  }
  denied.add(1);
  check(response, {
    'a 429 has Retry-After': ({ headers }) => Number(headers['Retry-After']) > 0,
    'a 429 has the error envelope': () => bodyOf(response).error !== undefined,
  });
}
