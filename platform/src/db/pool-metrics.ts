import type { Metrics } from '../telemetry/metrics.ts';
import type { Database } from './database.ts';

/** Observes the pool: connections in use, idle connections, and requests that wait for one. */
export function observePool(metrics: Metrics, db: Pick<Database, 'pool'>): void {
  metrics.observe('db.client.connection.count', () => {
    const { used, idle } = db.pool();
    return [
      [used, { 'db.client.connection.state': 'used' }],
      [idle, { 'db.client.connection.state': 'idle' }],
    ];
  });
  metrics.observe('db.client.connection.pending_requests', () => db.pool().waiting);
}
