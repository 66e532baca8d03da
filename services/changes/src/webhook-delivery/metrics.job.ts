import type { Clock } from '@event-api/platform/core/clock';
import type { Logger } from '@event-api/platform/core/log';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { Job } from '@event-api/platform/service/run-service';
import { pollGauges } from '@event-api/platform/telemetry/gauge-poller';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { timeouts } from '../timeouts.ts';

const statuses = ['pending', 'enabled', 'backing_off', 'disabled'] as const;
type Status = (typeof statuses)[number];

const countEndpoints = statement<{ status: Status; count: number }>(
  'delivery_endpoints_count',
  `select case when status = 'enabled' and backoff_until is not null then 'backing_off' else status end as status,
     count(*)::int as count
   from changes.webhook_endpoint group by 1`,
);

const countLanes = statement<{ count: number }>(
  'delivery_lanes_count',
  'select count(*)::int as count from changes.webhook_lane',
);

// Of a working endpoint the oldest change without an attempt counts, so that a change that fails
// does not look like a lag.
const oldestUndelivered = statement<{ status: Status; seconds: number }>(
  'delivery_oldest_undelivered',
  `select case when e.backoff_until is null then 'enabled' else 'backing_off' end as status,
     extract(epoch from max($1::timestamptz - c.occurred_at))::float8 as seconds
   from changes.webhook_endpoint e join changes.feed_head h using (business_unit_id)
   cross join lateral (
     select f.occurred_at from changes.feed_change f
     where f.business_unit_id = e.business_unit_id
       and f.sequence >= case when e.backoff_until is null then e.next else e.watermark + 1 end
     order by f.sequence limit 1) c
   where e.status = 'enabled' and e.watermark < h.sequence group by 1`,
);

/** Polls the endpoints, their undelivered changes and their lanes, and publishes them as gauges. */
export function observeEndpoints(options: {
  db: Db;
  clock: Clock;
  metrics: Metrics;
  log: Pick<Logger, 'warn'>;
  intervalMs?: number;
}): Job {
  const { db, clock, metrics, log, intervalMs = timeouts.endpointMetricsIntervalMs } = options;
  const poller = pollGauges(
    async () => {
      const [endpoints, [lanes], undelivered] = await Promise.all([
        db.query(countEndpoints),
        db.query(countLanes),
        db.query(oldestUndelivered, [clock.now()]),
      ]);
      return { endpoints, lanes: lanes?.count ?? 0, undelivered };
    },
    { intervalMs, log },
  );
  metrics.observe('changes.webhooks.endpoints', () =>
    poller.latest
      ? statuses.map((status) => [
          poller.latest?.endpoints.find((each) => each.status === status)?.count ?? 0,
          { status },
        ])
      : [],
  );
  metrics.observe('changes.webhooks.undelivered.age', () =>
    poller.latest
      ? (['enabled', 'backing_off'] as const).map((status) => [
          Math.max(
            0,
            poller.latest?.undelivered.find((each) => each.status === status)?.seconds ?? 0,
          ),
          { status },
        ])
      : [],
  );
  metrics.observe(
    'changes.webhooks.lanes',
    poller.gauge(({ lanes }) => lanes),
  );
  return { stop: poller.stop };
}
