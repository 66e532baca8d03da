import type { Cell } from '@event-api/contracts/cells';
import type {
  CreateWebhookEndpoint,
  ReplayChanges,
  UpdateWebhookEndpoint,
} from '@event-api/contracts/http/webhook-endpoints';
import { maxEndpoints } from '@event-api/contracts/http/webhook-endpoints';
import { feedNoticeSubject } from '@event-api/contracts/messages/changes';
import { recordAudit } from '@event-api/platform/audit/write';
import type { Clock } from '@event-api/platform/core/clock';
import { invalidTransition, notFound } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import { decrypt, encrypt, type KeyRing } from '@event-api/platform/core/key-ring';
import type { Database, Tx } from '@event-api/platform/db/database';
import { doNotStoreResponse, isRetry } from '@event-api/platform/http/idempotency/scope';
import type { Bus } from '@event-api/platform/messaging/bus/connect';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import {
  addressNotAllowed,
  beyondEnd,
  changeExpired,
  endpointDisabled,
  invalidUrl,
  replayRunning,
  tooManyEndpoints,
  unknownChange,
} from '../errors.ts';
import { findSequence, type HeadRow, lockOrCreateHeads } from '../feed/feed.queries.ts';
import { createSecret, createSigningPair } from './secrets.ts';
import { WebhookEndpoint, WebhookReplay } from './webhook.entity.ts';
import {
  countActiveEndpoints,
  dropFailedDeliveries,
  retryFailedDeliveries,
} from './webhooks.queries.ts';
import {
  decideReplay,
  decideTest,
  decideUpdate,
  decideUrl,
  newPing,
  rotatedSecrets,
  startAtHead,
} from './webhooks.rules.ts';
import { type EndpointRecord, writeEndpoint } from './write-endpoint.ts';

export interface WebhookDeps {
  db: Database;
  clock: Clock;
  bus: Pick<Bus, 'notify'>;
  keyRing: KeyRing;
  /** The cell that webhooks name. */
  cell: Cell;
  /** Admits URLs of this machine, for development. */
  allowLoopback: boolean;
  /** Whether the host of a URL is an address to which delivery never connects. */
  isBlockedHost: (hostname: string) => boolean;
}

/** An endpoint of a business unit. */
export interface EndpointRef {
  businessUnitId: string;
  endpointId: string;
}

/** A secret to show. */
export interface RevealedSecret {
  secret: string;
  /** An earlier run of the request has created it. */
  isReplayed: boolean;
}

/**
 * Creates a pending endpoint, which starts with the next change of the feed. Returns its id and its
 * secret. The response contains the secret, so it is not stored under an `Idempotency-Key`; a retry
 * returns the same secret. Errors: 400 for the URL; 412 `TOO_MANY_ENDPOINTS`. Locks: the end of the
 * feed.
 */
export async function createEndpoint(
  deps: WebhookDeps,
  businessUnitId: string,
  input: z.output<typeof CreateWebhookEndpoint>,
): Promise<RevealedSecret & { id: string }> {
  const url = acceptedUrl(deps, input.url);
  const [id, pingId, now] = [newId('whe'), newId('png'), deps.clock.now()];
  doNotStoreResponse();
  const created = await deps.db.transaction(async (tx) => {
    const existing = isRetry() && (await tx.em.findOne(WebhookEndpoint, { id, businessUnitId }));
    if (existing) {
      return { id, secret: decrypt(deps.keyRing, id, existing.secret), isReplayed: true };
    }
    const head = await lockHead(tx, businessUnitId);
    if (await isFull(tx, businessUnitId)) throw tooManyEndpoints();
    const secret = createSecret();
    const { signingKey, publicKey } = createSigningPair();
    tx.em.create(WebhookEndpoint, {
      id,
      businessUnitId,
      url,
      types: input.types,
      status: 'pending',
      secret: encrypt(deps.keyRing, id, secret),
      previousSecrets: [],
      signingKey: encrypt(deps.keyRing, id, signingKey),
      publicKey,
      ...startAtHead(head.sequence),
      ...newPing(pingId, now),
      createdAt: now,
      updatedAt: now,
    });
    recordAudit(tx, { records: [id] });
    return { id, secret, isReplayed: false };
  });
  wakeDelivery(deps, businessUnitId);
  return created;
}

/**
 * Changes an endpoint; fields left out stay. A patch that changes nothing writes nothing. Errors:
 * 400 for the URL and for a disabled endpoint to be `pending`; 404; 412 `TOO_MANY_ENDPOINTS`,
 * `CHANGE_EXPIRED`. Locks: the endpoint, then the end of the feed. Reports:
 * `webhook_endpoint.disabled`.
 */
export async function updateEndpoint(
  deps: WebhookDeps,
  ref: EndpointRef,
  patch: z.output<typeof UpdateWebhookEndpoint>,
): Promise<void> {
  const { url, ...others } = patch;
  const accepted = url === undefined ? others : { ...others, url: acceptedUrl(deps, url) };
  const { businessUnitId } = ref;
  const [pingId, now] = [newId('png'), deps.clock.now()];
  await deps.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, ref);
    const { sequence: headSequence, floor } = await lockHead(tx, businessUnitId);
    const context = { now, pingId, headSequence, floor, isFull: await isFull(tx, businessUnitId) };
    const decision = decideUpdate(endpoint, accepted, context);
    if (decision.outcome === 'invalid_transition') {
      throw invalidTransition(decision.from, decision.to);
    }
    if (decision.outcome === 'too_many') throw tooManyEndpoints();
    if (decision.outcome === 'expired') throw changeExpired();
    if (decision.outcome === 'unchanged') return;
    if (decision.lanes === 'delete') await dropFailedDeliveries(tx, endpoint.id);
    if (decision.lanes === 'retry_now') await retryFailedDeliveries(tx, endpoint.id, now);
    await writeEndpoint(tx, endpoint, decision.changes, now);
    recordAudit(tx);
  });
  wakeDelivery(deps, businessUnitId);
}

/**
 * Replaces the secret of an endpoint and returns the new one. The replaced one signs for 24 hours
 * more. The response is not stored under an `Idempotency-Key`; a retry returns the secret of the
 * first run, unless another rotation has replaced it: then it rotates again.
 * Errors: 404. Locks: the endpoint.
 */
export async function rotateSecret(
  { db, clock, keyRing }: WebhookDeps,
  ref: EndpointRef,
): Promise<RevealedSecret> {
  const [rotationId, now] = [newId('rot'), clock.now()];
  doNotStoreResponse();
  return db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, ref);
    if (endpoint.rotationId === rotationId) {
      return { secret: decrypt(keyRing, endpoint.id, endpoint.secret), isReplayed: true };
    }
    const secret = createSecret();
    tx.em.assign(endpoint, {
      secret: encrypt(keyRing, endpoint.id, secret),
      previousSecrets: rotatedSecrets(endpoint.secret, endpoint.previousSecrets, now),
      rotationId,
      updatedAt: now,
    });
    recordAudit(tx);
    return { secret, isReplayed: false };
  });
}

/**
 * Makes a ping of an endpoint due and returns its id. Errors: 404; 412 `ENDPOINT_DISABLED`. Locks:
 * the endpoint.
 */
export async function testEndpoint(deps: WebhookDeps, ref: EndpointRef): Promise<string> {
  const [pingId, now] = [newId('png'), deps.clock.now()];
  await deps.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, ref);
    const decision = decideTest(endpoint, pingId, now);
    if (decision.outcome === 'disabled') throw endpointDisabled();
    tx.em.assign(endpoint, { ...decision.ping });
    recordAudit(tx);
  });
  wakeDelivery(deps, ref.businessUnitId);
  return pingId;
}

/**
 * Begins a replay of changes and returns it. Errors: 400 for changes that the feed does not have
 * yet; 404, also for `changeId`; 409 `ABORTED` while another replay runs; 412 `ENDPOINT_DISABLED`,
 * `CHANGE_EXPIRED`. Locks: the endpoint, then the end of the feed.
 */
export async function replayChanges(
  deps: WebhookDeps,
  ref: EndpointRef,
  input: z.output<typeof ReplayChanges>,
): Promise<{ id: string; from: number; to: number; createdAt: Date }> {
  const { businessUnitId, endpointId } = ref;
  const [id, now] = [newId('rpl'), deps.clock.now()];
  const replay = await deps.db.transaction(async (tx) => {
    const { status } = await lockEndpoint(tx, ref);
    const running = await tx.em.findOne(WebhookReplay, { endpointId });
    if (running?.id === id) {
      const { fromSequence: from, toSequence: to, createdAt } = running;
      return { id, from, to, createdAt };
    }
    const { sequence: headSequence, floor } = await lockHead(tx, businessUnitId);
    const { changeId } = input;
    const sequenceOfChange =
      changeId === undefined ? null : await findSequence(tx, businessUnitId, changeId);
    const isRunning = running !== null;
    const context = { status, isRunning, headSequence, floor, sequenceOfChange };
    const { from, to } = acceptedReplay(decideReplay(input, context));
    const range = { fromSequence: from, sequence: from, toSequence: to };
    tx.em.create(WebhookReplay, { id, endpointId, ...range, nextAt: now, createdAt: now });
    recordAudit(tx, { records: [id] });
    return { id, from, to, createdAt: now };
  });
  wakeDelivery(deps, businessUnitId);
  return replay;
}

function acceptedReplay(decision: ReturnType<typeof decideReplay>): { from: number; to: number } {
  switch (decision.outcome) {
    case 'replay':
      return decision;
    case 'disabled':
      throw endpointDisabled();
    case 'running':
      throw replayRunning();
    case 'expired':
      throw changeExpired();
    case 'change_unknown':
      throw unknownChange();
    case 'beyond_end':
      throw beyondEnd(decision.field);
  }
}

function acceptedUrl({ allowLoopback, isBlockedHost }: WebhookDeps, text: string): string {
  const decision = decideUrl(text, allowLoopback, isBlockedHost);
  if (decision.outcome === 'address_not_allowed') throw addressNotAllowed();
  if (decision.outcome === 'invalid') throw invalidUrl(decision.issue);
  return decision.url;
}

async function lockEndpoint(
  tx: Tx,
  { businessUnitId, endpointId }: EndpointRef,
): Promise<EndpointRecord> {
  const where = { id: endpointId, businessUnitId };
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  const endpoint = await tx.em.findOne(WebhookEndpoint, where, lock);
  if (!endpoint) throw notFound();
  return endpoint;
}

async function lockHead(tx: Tx, businessUnitId: string): Promise<HeadRow> {
  const [head] = await lockOrCreateHeads(tx, [businessUnitId]);
  if (!head) throw new Error('failed to create a feed');
  return head;
}

/** The lock of the feed's end makes the count exact. */
const isFull = async (tx: Tx, businessUnitId: string): Promise<boolean> =>
  (await countActiveEndpoints(tx, businessUnitId)) >= maxEndpoints;

/** The process that delivers listens for the notices of the feed. */
const wakeDelivery = ({ bus }: WebhookDeps, businessUnitId: string): void =>
  bus.notify(feedNoticeSubject(businessUnitId));
