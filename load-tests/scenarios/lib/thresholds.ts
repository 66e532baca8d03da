/** Thresholds of every scenario. */
export const commonThresholds = {
  checks: ['rate==1'],
  http_req_failed: ['rate==0'],
  // Iterations that k6 could not start in time are missing in the latencies, so none may be
  // dropped.
  dropped_iterations: ['count==0'],
};

export const summaryTrendStats = ['avg', 'med', 'p(95)', 'p(99)', 'max'];
