import type { Cell } from '@event-api/contracts/cells';
import { feedNoticeSubject } from '@event-api/contracts/messages/changes';
import type { Clock } from '@event-api/platform/core/clock';
import type { KeyRing } from '@event-api/platform/core/key-ring';
import type { Logger } from '@event-api/platform/core/log';
import { reachStep } from '@event-api/platform/core/steps';
import type { Database } from '@event-api/platform/db/database';
import type { NoticeBus } from '@event-api/platform/messaging/bus/connect';
import { disableEndpoint } from '../webhooks/write-endpoint.ts';
import type { Attempted } from './deliver.ts';
import type { HeldEndpoint } from './lease.ts';
import type { DeliveryMetrics } from './metrics.ts';
import { addRead, keepTypes, nextOf, restoredProgress, watermarkOf } from './progress.rules.ts';
import type { SendRequest } from './request.ts';
import { type Attempt, type Changes, type Stored, saveChanges } from './save.ts';
import type { Slots } from './slots.ts';
import type { EndpointState, Ping, Replay } from './targets.rules.ts';
import {
  countDeleted,
  type HeldRow,
  readChanges,
  readHeld,
  readLanes,
} from './webhook-delivery.queries.ts';
import { decideOutcome, type EndDecision, type Response } from './webhook-delivery.rules.ts';

export interface DeliveryDeps {
  db: Database;
  bus: NoticeBus;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  clock: Clock;
  /** The cell that webhooks name. */
  cell: Cell;
  keyRing: KeyRing;
  send: SendRequest;
  slots: Slots;
  metrics: DeliveryMetrics;
}

/**
 * What this process knows about an endpoint that it holds. Its parts are stored together, or not at
 * all.
 */
export interface Session {
  endpoint: HeldEndpoint;
  row: HeldRow;
  state: EndpointState;
  /** As in the database. */
  stored: Stored;
  unsaved: Pick<Changes, 'attempts' | 'ping' | 'replay'> & { disable: EndDecision | null };
}

const nothing = { attempts: [], ping: null, replay: null, disable: null } as const;

/** Reads an endpoint that this process has taken. Null if it does not hold it any more. */
export async function openSession(
  { db }: DeliveryDeps,
  endpoint: HeldEndpoint,
): Promise<Session | null> {
  const row = await readHeld(db, endpoint);
  if (!row || row.status === 'disabled') return null;
  const progress = restoredProgress(row.next, await readLanes(db, row.id));
  const { failures, failingSince, backoffUntil, backoffAttempts } = row;
  return {
    endpoint,
    row,
    state: {
      status: row.status,
      health: { failures, failingSince, backoffUntil, backoffAttempts },
      ping: pingOf(row),
      replay: replayOf(row),
      progress,
    },
    stored: { lanes: progress.lanes, watermark: row.watermark, next: row.next },
    unsaved: nothing,
  };
}

const pingOf = ({ pingId, pingAttempts, pingAt, pingUntil }: HeldRow): Ping | null =>
  pingId !== null && pingAt && pingUntil
    ? { id: pingId, attempts: pingAttempts, at: pingAt, until: pingUntil }
    : null;

const replayOf = ({ replay }: HeldRow): Replay | null =>
  replay && { ...replay, nextAt: new Date(replay.nextAt) };

/**
 * Reads what requests may have changed: URL, types, secrets, ping, replay. Returns false if the
 * session must end: the process does not hold the endpoint any more, or a request has disabled it,
 * or has enabled it again.
 */
export async function refresh({ db }: DeliveryDeps, session: Session): Promise<boolean> {
  const row = await readHeld(db, session.endpoint);
  const { state, stored } = session;
  if (!row || row.status !== state.status) return false;
  if (row.watermark !== stored.watermark || row.next !== stored.next) return false;
  session.row = row;
  session.state = {
    ...state,
    ping: pingOf(row),
    replay: replayOf(row),
    progress: keepTypes(state.progress, row.types),
  };
  return true;
}

/** Decides what follows from a delivery that has ended. It is stored by `save`. */
export function applyResult(
  { clock, metrics }: DeliveryDeps,
  session: Session,
  attempted: Attempted & { response: Response },
): void {
  const { delivery, response, durationMs } = attempted;
  const { state, result, disable } = decideOutcome(session.state, delivery, response, {
    now: clock.now(),
    random: Math.random(),
  });
  session.state = state;
  const { unsaved } = session;
  session.unsaved = {
    attempts: [...unsaved.attempts, attemptOf(attempted, result)],
    ping:
      delivery.kind === 'ping'
        ? { id: delivery.ping.id, next: state.ping, status: state.status }
        : unsaved.ping,
    replay:
      delivery.kind === 'replay' ? { id: delivery.replayId, next: state.replay } : unsaved.replay,
    disable: unsaved.disable ?? disable,
  };
  metrics.attempted(result, durationMs);
}

function attemptOf(
  { delivery, response, ...sent }: Attempted & { response: Response },
  result: Attempt['result'],
): Attempt {
  const { changeId, sequence, type, attempt } =
    delivery.kind === 'ping'
      ? {
          changeId: delivery.ping.id,
          sequence: null,
          type: 'ping',
          attempt: delivery.ping.attempts + 1,
        }
      : { ...delivery.change, changeId: delivery.change.id, attempt: delivery.attempt };
  return {
    ...{ changeId, sequence, type, attempt, result, ...sent },
    isReplay: delivery.kind === 'replay',
    ...responseOf(response),
    reason: reasonOf(response),
  };
}

function responseOf(
  response: Response,
): Pick<Attempt, 'responseStatus' | 'responseContentType' | 'responseBody'> {
  if (response.outcome === 'unreachable') {
    return { responseStatus: null, responseContentType: null, responseBody: null };
  }
  const { status, content } = response;
  const { contentType, body } = content;
  return { responseStatus: status, responseContentType: contentType, responseBody: body };
}

function reasonOf(response: Response): string | null {
  if (response.outcome === 'acknowledged') return null;
  return response.outcome === 'rejected' ? 'status' : response.reason;
}

/** Whether there is something to store. */
export function isUnsaved({ state, stored, unsaved }: Session): boolean {
  return (
    unsaved.attempts.length > 0 ||
    unsaved.replay !== null ||
    state.progress.lanes !== stored.lanes ||
    nextOf(state.progress) !== stored.next ||
    watermarkOf(state.progress) !== stored.watermark
  );
}

/**
 * Stores everything. Returns false if the session must end: the endpoint is disabled now, or was
 * enabled by its ping; or nothing is stored, because the process does not hold it any more.
 */
export async function save(deps: DeliveryDeps, session: Session): Promise<boolean> {
  const { db, bus, clock, log } = deps;
  const { endpoint, row, state, stored, unsaved } = session;
  const { progress, health } = state;
  const { disable } = unsaved;
  const isHeld = await saveChanges(
    db,
    endpoint,
    { ...unsaved, stored, progress, health, now: clock.now() },
    async (tx) => {
      if (disable) await disableEndpoint(tx, row, disable, clock.now());
      reachStep('webhook.written');
    },
  );
  if (!isHeld) return false;
  if (disable) {
    log.info({ endpoint: row.id, reason: disable }, 'webhook endpoint disabled');
    bus.notify(feedNoticeSubject(row.businessUnitId));
  }
  session.stored = {
    lanes: progress.lanes,
    watermark: watermarkOf(progress),
    next: nextOf(progress),
  };
  session.unsaved = nothing;
  reachStep('webhook.saved');
  return disable === null && state.status === row.status;
}

/**
 * The most changes that are read ahead, and the most sequences that one statement searches for
 * them.
 */
const maxWindow = 500;
const maxSearched = 10_000;

/** Reads the next changes of the feed, unless many wait already. */
export async function readAhead(deps: DeliveryDeps, session: Session): Promise<void> {
  const { businessUnitId, types, headSequence } = session.row;
  if (session.state.status !== 'enabled') return;
  await reportDeleted(deps, session);
  for (;;) {
    const { readTo, window } = session.state.progress;
    if (window.length >= maxWindow || readTo >= headSequence) return;
    const upTo = Math.min(headSequence, readTo + maxSearched);
    const range = { businessUnitId, after: readTo, upTo, types };
    const entries = await readChanges(deps.db, range, maxWindow);
    const last = entries.length < maxWindow ? upTo : (entries.at(-1)?.sequence ?? upTo);
    const progress = addRead(session.state.progress, { entries, readTo: last });
    session.state = { ...session.state, progress };
  }
}

/**
 * Reports changes that the feed has deleted before their delivery. A receiver finds the gap by its
 * cursor.
 */
async function reportDeleted({ db, log, metrics }: DeliveryDeps, { row, state }: Session) {
  const { readTo } = state.progress;
  // Below the floor are also changes of an earlier epoch, which are still kept.
  if (readTo >= row.floor) return;
  const deleted = await countDeleted(db, row.businessUnitId, {
    after: readTo,
    headSequence: row.headSequence,
  });
  if (deleted === 0) return;
  metrics.expired(deleted);
  log.error({ endpoint: row.id, after: readTo, deleted }, 'failed to deliver deleted changes');
}
