import { type DeliveryResult, deliveryResults } from '@event-api/contracts/http/webhook-endpoints';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import type { Slots } from './slots.ts';

/** Metrics of deliveries. */
export interface DeliveryMetrics {
  attempted(result: DeliveryResult, durationMs: number): void;
  /** Changes that were deleted from the feed before their delivery. */
  expired(changes: number): void;
}

export function createDeliveryMetrics(metrics: Metrics, slots: Slots): DeliveryMetrics {
  const count = metrics.counter('changes.webhooks.deliveries');
  // Create every series with 0. If a series starts with its first event, `increase()` misses it.
  for (const result of deliveryResults) count({ result }, 0);
  const recordDuration = metrics.histogram('changes.webhooks.delivery.duration');
  metrics.observe('changes.webhooks.in_flight', slots.used);
  metrics.observe('changes.webhooks.in_flight.age', () => slots.oldestMs() / 1000);
  const countExpired = metrics.counter('changes.webhooks.expired');
  return {
    attempted(result, durationMs) {
      count({ result });
      recordDuration(durationMs / 1000, { result });
    },
    expired: (changes) => countExpired({}, changes),
  };
}
