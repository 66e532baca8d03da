import type { MetricDefinition } from './definition.ts';

/** Metrics of the console. */
export const consoleMetrics = {
  'console.sign_ins': {
    kind: 'counter',
    unit: '{sign_in}',
    description:
      'Sign-ins that have ended; method is oidc or passkey, result is succeeded or failed',
    attributes: ['method', 'result'],
  },
  'console.sessions': {
    kind: 'gauge',
    unit: '{session}',
    description: 'Sessions that have not ended',
    attributes: [],
  },
  'console.owner.requests': {
    kind: 'counter',
    unit: '{request}',
    description:
      'Requests to other processes; outcome is success, rejected (4xx), failed (5xx), unauthenticated (the owner rejects the caller token), away (no response) or late (no response in time)',
    attributes: ['owner', 'outcome'],
  },
  'console.rate_limit.denied': {
    kind: 'counter',
    unit: '{request}',
    description: 'Requests rejected because their session or address exceeded its limit',
    attributes: [],
  },
} as const satisfies Record<string, MetricDefinition>;
