import type { NumberedChange } from '@event-api/contracts/internal/changes';
import { type ChangeOwner, changeOwners } from '@event-api/contracts/topology';
import type { Clock } from '@event-api/platform/core/clock';
import type { Metrics } from '@event-api/platform/telemetry/metrics';

/** Metrics of the feed. */
export interface FeedMetrics {
  /** This process has added changes to the feed. */
  added(changes: readonly NumberedChange[]): void;
  /** The feed contains all changes of a service, as far as this process knows. */
  isCurrent(owner: ChangeOwner): void;
}

export function createFeedMetrics(metrics: Metrics, clock: Clock): FeedMetrics {
  const recordLag = metrics.histogram('changes.feed.lag');
  const startedAt = performance.now();
  const readAt = new Map<ChangeOwner, number>(changeOwners.map((owner) => [owner, startedAt]));
  metrics.observe('changes.feed.read.age', () =>
    [...readAt].map(([owner, at]) => [(performance.now() - at) / 1000, { owner }] as const),
  );
  return {
    added(changes) {
      const now = clock.now().getTime();
      for (const { occurredAt } of changes)
        recordLag(Math.max(0, now - new Date(occurredAt).getTime()) / 1000, {});
    },
    isCurrent: (owner) => void readAt.set(owner, performance.now()),
  };
}
