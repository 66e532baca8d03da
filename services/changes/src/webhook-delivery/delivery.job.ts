import { anyFeedNotice, unitOfFeedNotice } from '@event-api/contracts/messages/changes';
import { runAsJob } from '@event-api/platform/core/actor';
import { withTimeout } from '@event-api/platform/core/deadline';
import { every, pause } from '@event-api/platform/core/every';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import { reachStep } from '@event-api/platform/core/steps';
import type { Job } from '@event-api/platform/service/run-service';
import { timeouts } from '../timeouts.ts';
import { type HeldEndpoint, renewLeases, takeEndpoints } from './lease.ts';
import { type Sender, startSender } from './sender.ts';
import type { DeliveryDeps } from './session.ts';

/** The job that delivers changes to webhook endpoints. */
export interface DeliveryJob extends Job {
  /**
   * Begins no more requests. `stop` waits for the running ones, until 7 seconds after this call.
   */
  drain(): void;
  /** The endpoints that this process holds. */
  held(): string[];
}

/**
 * Takes endpoints with something to send and sends for them: after each notice of new changes of
 * their business unit, and once a second. One process at a time sends for an endpoint.
 */
export function startDelivery(deps: DeliveryDeps): DeliveryJob {
  const { bus, db, clock } = deps;
  const senders = new Map<string, Sender>();
  const tasks = new Set<Promise<void>>();
  const noticed = new Set<string>();
  let searchedAt = Number.NEGATIVE_INFINITY;
  let drainUntil: number | null = null;

  /** Sends for an endpoint until its sender ends. */
  async function send(endpoint: HeldEndpoint, leaseUntil: number): Promise<void> {
    const { id, businessUnitId } = endpoint;
    // A sender whose lease has ended has to end first.
    for (let earlier = senders.get(id); earlier; earlier = senders.get(id)) {
      earlier.abort();
      await earlier.ended;
    }
    const sender = startSender(deps, endpoint, leaseUntil);
    senders.set(id, sender);
    if (drainUntil !== null) sender.drain();
    await sender.ended;
    senders.delete(id);
    // A notice may have come while it ended.
    noticed.add(businessUnitId);
    taking.wake();
  }

  function begin(endpoint: HeldEndpoint, leaseUntil: number): void {
    const task = send(endpoint, leaseUntil).finally(() => tasks.delete(task));
    tasks.add(task);
  }

  async function take(signal: AbortSignal): Promise<void> {
    await pause(timeouts.deliveryGatherMs, signal);
    const isPoll = performance.now() - searchedAt >= timeouts.deliveryPollIntervalMs;
    if (drainUntil !== null || !(isPoll || noticed.size > 0)) return;
    if (isPoll) searchedAt = performance.now();
    const businessUnitIds = isPoll ? null : [...noticed];
    noticed.clear();
    const leaseUntil = performance.now() + timeouts.leaseMs;
    const taken = await takeEndpoints(db, {
      businessUnitIds,
      now: clock.now(),
    });
    reachStep('webhook.taken');
    for (const endpoint of taken) begin(endpoint, leaseUntil);
  }

  async function renew(): Promise<void> {
    const leaseUntil = performance.now() + timeouts.leaseMs;
    const all = [...senders.values()];
    const held = await renewLeases(
      db,
      all.map(({ endpoint }) => endpoint),
    );
    for (const sender of all) {
      if (held.has(sender.endpoint)) sender.extendLease(leaseUntil);
      else sender.abort();
    }
  }

  const onError = reportRepeated((error, suppressed) =>
    deps.log.warn({ err: error, suppressed }, 'failed to find webhooks to deliver, will retry'),
  );
  const taking = every((signal) => runAsJob('webhook-delivery', () => take(signal)), {
    ...{ intervalMs: timeouts.deliveryPollIntervalMs, immediately: true, onError },
  });
  const renewing = every(renew, { intervalMs: timeouts.leaseRenewalIntervalMs, onError });
  bus.onNotification(anyFeedNotice, (subject) => {
    const unit = unitOfFeedNotice(subject);
    for (const sender of senders.values())
      if (sender.endpoint.businessUnitId === unit) sender.wake();
    noticed.add(unit);
    taking.wake();
  });

  function drain(): void {
    drainUntil ??= performance.now() + timeouts.deliveryDrainMs;
    for (const sender of senders.values()) sender.drain();
  }

  return {
    drain,
    held: () => [...senders.keys()],
    async stop() {
      drain();
      await taking.stop();
      const ended = Promise.all(tasks);
      const leftMs = Math.max(0, (drainUntil ?? 0) - performance.now());
      if ((await withTimeout(ended, leftMs)).outcome === 'late') {
        for (const sender of senders.values()) sender.abort();
      }
      await ended;
      await renewing.stop();
    },
  };
}
