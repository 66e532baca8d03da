import { isOnlyRunner } from './test-data.ts';

/** What a request is for. Each kind has its objective. */
export type Kind = 'read' | 'checkin' | 'order' | 'other';

/**
 * The objectives of docs/runbook.md, and one for orders: 99 % of each kind take at most so many
 * milliseconds.
 */
export const latencyObjectives = {
  read: 250,
  checkin: 500,
  order: 1000,
} as const satisfies Partial<Record<Kind, number>>;

/** The share of requests that may have a 5xx response or none. */
export const errorBudget = 0.001;

/** Thresholds of every scenario. */
export const commonThresholds: Record<string, string[]> = {
  // A check is about a response that is no 5xx; those have a budget.
  checks: ['rate==1'],
  server_errors: [`rate<=${errorBudget}`],
  ...Object.fromEntries(
    Object.entries(latencyObjectives).map(([kind, milliseconds]) => [
      `http_req_duration{kind:${kind}}`,
      [`p(99)<=${milliseconds}`],
    ]),
  ),
  // Iterations that k6 could not start in time are missing in the latencies, so none may be
  // dropped.
  dropped_iterations: ['count==0'],
};

/**
 * The exact number that a counter of the whole run reaches; one of several runners counts a part.
 */
export const exactly = (count: number): string[] =>
  isOnlyRunner ? [`count==${count}`] : [`count<=${count}`];

/** The least that a counter of the whole run reaches. */
export const atLeast = (count: number): string[] => (isOnlyRunner ? [`count>=${count}`] : []);

export const summaryTrendStats = ['avg', 'med', 'p(95)', 'p(99)', 'max'];
