/** What every scenario is held to, whatever else it asks. */
export const commonThresholds = {
  checks: ['rate==1'],
  http_req_failed: ['rate==0'],
  // Requests that k6 could not send in time were not answered slowly: they were not measured at all.
  dropped_iterations: ['count==0'],
};

export const summaryTrendStats = ['avg', 'med', 'p(95)', 'p(99)', 'max'];
