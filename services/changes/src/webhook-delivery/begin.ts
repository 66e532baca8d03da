import { signingKeysOf } from '../webhooks/secrets.ts';
import { deliver } from './deliver.ts';
import { resolveLane } from './progress.rules.ts';
import type { Running } from './running.ts';
import type { DeliveryDeps, Session } from './session.ts';
import { decideTargets, type Target } from './targets.rules.ts';
import { endReplay, readChanges, readLaneHeads } from './webhook-delivery.queries.ts';
import type { Delivery } from './webhook-delivery.rules.ts';

/** Begins the requests that are due. `wake` is called when the process has room for more. */
export async function beginDue(
  deps: DeliveryDeps,
  session: Session,
  running: Running,
  { mayBegin, wake }: { mayBegin: () => boolean; wake: () => void },
): Promise<void> {
  const { clock, keyRing, slots } = deps;
  for (;;) {
    const now = clock.now();
    const inFlight = running.inFlight();
    const allowance = slots.allowance(session.row.businessUnitId, inFlight.size, wake);
    const targets = decideTargets(session.state, inFlight, { now, allowance });
    if (targets.length === 0) return;
    const { deliveries, isComplete } = await resolveTargets(deps, session, targets);
    // Decides again: a lane or a replay has ended, so that something else may be due.
    if (!isComplete) continue;
    if (!mayBegin()) return;
    const { row } = session;
    const keys = signingKeysOf(keyRing, row, now);
    for (const delivery of deliveries)
      running.start(delivery, (signal) => deliver(deps, row, keys, delivery, signal));
    return;
  }
}

/**
 * Reads the changes of lanes and of the replay. `isComplete` is false if one of them has no change
 * to deliver; it has then ended.
 */
async function resolveTargets(
  { db }: DeliveryDeps,
  session: Session,
  targets: readonly Target[],
): Promise<{ deliveries: Delivery[]; isComplete: boolean }> {
  const { row, state } = session;
  const { businessUnitId, types } = row;
  const isProbe = state.health.backoffUntil !== null;
  const lanes = targets.flatMap((target) => (target.kind === 'lane' ? target.lane : []));
  const upTo = state.progress.readTo;
  const heads = await readLaneHeads(db, { businessUnitId, upTo, types }, lanes);
  const deliveries: Delivery[] = [];
  for (const target of targets) {
    if (target.kind === 'ping') deliveries.push(target);
    else if (target.kind === 'change')
      deliveries.push({ kind: 'change', change: target.change, attempt: 1, isProbe });
    else if (target.kind === 'lane') {
      const { lane } = target;
      const change = heads.get(lane.objectId);
      session.state = {
        ...session.state,
        progress: resolveLane(session.state.progress, lane, change),
      };
      const attempts = change?.sequence === lane.sequence ? lane.attempts : 0;
      if (change) deliveries.push({ kind: 'change', change, attempt: attempts + 1, isProbe });
    } else {
      const { replay } = target;
      const range = { businessUnitId, after: replay.sequence - 1, upTo: replay.toSequence, types };
      const [change] = await readChanges(db, range, 1);
      const attempts = change?.sequence === replay.sequence ? replay.attempts : 0;
      if (change)
        deliveries.push({
          ...{ kind: 'replay', replayId: replay.id, change, isProbe },
          attempt: attempts + 1,
        });
      else {
        await endReplay(db, row.id, replay.id);
        session.state = { ...session.state, replay: null };
      }
    }
  }
  return { deliveries, isComplete: deliveries.length === targets.length };
}
