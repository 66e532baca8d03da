import { changesMetrics } from './changes.ts';
import { commerceMetrics } from './commerce.ts';
import { consoleMetrics } from './console.ts';
import { gatewayMetrics } from './gateway.ts';
import { onsiteMetrics } from './onsite.ts';
import { platformMetrics } from './platform.ts';
import { registrationMetrics } from './registration.ts';

/**
 * Every metric of the system, with every attribute that it may carry. A monitoring system stores
 * one series per combination of attributes. Their values therefore come from small fixed sets:
 * never an id, email, name, key or badge code.
 */
export const metricDefinitions = {
  ...platformMetrics,
  ...registrationMetrics,
  ...commerceMetrics,
  ...onsiteMetrics,
  ...changesMetrics,
  ...gatewayMetrics,
  ...consoleMetrics,
};
