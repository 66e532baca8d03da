import type { ChangeType } from '@event-api/contracts/changes';
import {
  type DeliveryResult,
  disabledReasons,
  endpointStatuses,
} from '@event-api/contracts/http/webhook-endpoints';
import { versionColumn } from '@event-api/platform/db/row-version';
import { defineEntity, p } from '@mikro-orm/core';
import type { PreviousSecret } from './webhooks.rules.ts';

/**
 * A receiver of changes. Two sequences say how far its deliveries are: everything up to `watermark`
 * is acknowledged or given up; everything below `next` is acknowledged, given up or parked in a
 * lane.
 */
export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    url: p.text(),
    /** The types of changes to deliver; null for all. */
    types: p.array().columnType('text[]').$type<ChangeType[]>().nullable(),
    /** `pending` until the ping is acknowledged, `enabled`, `disabled`. */
    status: p.enum(endpointStatuses),
    /** Why it is disabled: `requested`, `gone`, `failing`, `ping_failed`; null otherwise. */
    disabledReason: p.enum(disabledReasons).nullable(),
    /** The secrets and the private key are encrypted with the endpoint's id as associated data. */
    secret: p.text(),
    /** The secrets that rotations have replaced, newest first. Each signs until its time. */
    previousSecrets: p.json<PreviousSecret[]>().defaultRaw("'[]'"),
    /** The rotation that created the secret. A retry of its request recognizes it. */
    rotationId: p.text().nullable(),
    signingKey: p.text(),
    /** The Ed25519 public key as `whpk_…`. */
    publicKey: p.text(),
    watermark: p.bigint('number'),
    next: p.bigint('number'),
    /** Failures since the last success, and the time of the first of them. */
    failures: p.integer().default(0),
    failingSince: p.datetime(3).nullable(),
    /** While set, only the oldest delivery is tried, at this time. */
    backoffUntil: p.datetime(3).nullable(),
    /** The attempts of this back-off that have failed. */
    backoffAttempts: p.integer().default(0),
    /**
     * The ping to send: its `webhook-id`, attempts so far, the next one, and when it is given up. A
     * pending endpoint always has one, an enabled one while a test is due.
     */
    pingId: p.text().nullable(),
    pingAttempts: p.integer().default(0),
    pingAt: p.datetime(3).nullable(),
    pingUntil: p.datetime(3).nullable(),
    /** The process that delivers, until its lease ends. */
    leaseHolder: p.text().nullable(),
    leaseUntil: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    /** Orders the changes of the endpoint in the feed. */
    version: versionColumn(),
    insertionOrder: p.bigint('number').autoincrement(),
  },
  indexes: [
    { name: 'webhook_endpoint_newest_first', properties: ['businessUnitId', 'insertionOrder'] },
  ],
});

/** An object whose delivery has failed. Later changes of the object wait behind it. */
export const WebhookLane = defineEntity({
  name: 'WebhookLane',
  tableName: 'webhook_lane',
  properties: {
    endpointId: p.text().primary(),
    objectId: p.text().primary(),
    /** The change to deliver next. */
    sequence: p.bigint('number'),
    /** Failed attempts of this change. */
    attempts: p.integer(),
    nextAt: p.datetime(3),
  },
  indexes: [{ name: 'webhook_lane_due', properties: ['endpointId', 'nextAt'] }],
});

/**
 * A requested repetition of deliveries, at most one per endpoint. It does not move the watermark.
 */
export const WebhookReplay = defineEntity({
  name: 'WebhookReplay',
  tableName: 'webhook_replay',
  properties: {
    endpointId: p.text().primary(),
    id: p.text(),
    fromSequence: p.bigint('number'),
    /** The change to deliver next, and the last one. */
    sequence: p.bigint('number'),
    toSequence: p.bigint('number'),
    attempts: p.integer().default(0),
    nextAt: p.datetime(3),
    createdAt: p.datetime(3),
  },
});

/** One attempt of a delivery, kept for 30 days. */
export const WebhookAttempt = defineEntity({
  name: 'WebhookAttempt',
  tableName: 'webhook_attempt',
  properties: {
    id: p.bigint('number').primary(),
    endpointId: p.text(),
    businessUnitId: p.text(),
    /** The change, or the ping: its `webhook-id`. */
    changeId: p.text(),
    /** Null for a ping. */
    sequence: p.bigint('number').nullable(),
    type: p.text(),
    attempt: p.integer(),
    isReplay: p.boolean(),
    /** `delivered`, `retrying`, `failed` (given up). */
    result: p.text().$type<DeliveryResult>(),
    /** The status of the response; null without one. */
    responseStatus: p.integer().nullable(),
    /**
     * Why the attempt failed: a word such as `timeout`, `connect`, `tls`, `blocked_address`,
     * `status`.
     */
    reason: p.text().nullable(),
    durationMs: p.integer(),
    attemptedAt: p.datetime(3),
    /**
     * What was sent besides the entry of the feed, and the beginning of the response, which is null
     * without one. The body is foreign text of at most 1 KiB.
     */
    url: p.text(),
    cursor: p.text(),
    responseContentType: p.text().nullable(),
    responseBody: p.text().nullable(),
  },
  indexes: [
    { name: 'webhook_attempt_of_endpoint', properties: ['endpointId', 'id'] },
    { name: 'webhook_attempt_of_change', properties: ['endpointId', 'changeId', 'id'] },
    {
      name: 'webhook_attempt_unsuccessful',
      properties: ['endpointId', 'id'],
      where: "result <> 'delivered'",
    },
    { name: 'webhook_attempt_by_age', properties: ['attemptedAt'] },
  ],
});
