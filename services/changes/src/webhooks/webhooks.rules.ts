import type { ChangeType } from '@event-api/contracts/changes';
import type {
  DisabledReason,
  EndpointStatus,
  ReplayChanges,
  UpdateWebhookEndpoint,
} from '@event-api/contracts/http/webhook-endpoints';
import type { z } from 'zod';
import { timeouts } from '../timeouts.ts';

export type UrlDecision =
  | { outcome: 'accepted'; url: string }
  | { outcome: 'invalid'; issue: string }
  /** Its host is an address to which nothing is ever delivered. */
  | { outcome: 'address_not_allowed' };

const rejected = (issue: string): UrlDecision => ({ outcome: 'invalid', issue });

/** The names and addresses of this machine, as a URL spells them after parsing. */
const isLoopback = (hostname: string): boolean =>
  /^(.+\.)?localhost\.?$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(hostname);

/**
 * Decides whether an endpoint can have a URL: HTTPS on port 443 or 8443, without credentials and
 * fragment. With `allowLoopback`, an address of this machine can have any port, and HTTP. An
 * address to which delivery never connects is rejected; the one to which a name resolves is checked
 * at each connection.
 */
export function decideUrl(
  text: string,
  allowLoopback: boolean,
  isBlocked: (hostname: string) => boolean,
): UrlDecision {
  if (!URL.canParse(text)) return rejected('must be a URL');
  const url = new URL(text);
  const { protocol, hostname, port } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return rejected('must be an https:// URL');
  if (url.username || url.password) return rejected('must not contain a user name or a password');
  if (url.hash) return rejected('must not contain a fragment');
  if (isLoopback(hostname)) {
    if (!allowLoopback || isBlocked(hostname)) return { outcome: 'address_not_allowed' };
    return { outcome: 'accepted', url: url.href };
  }
  if (protocol !== 'https:') return rejected('must be an https:// URL');
  // The parser removes the default port.
  if (port !== '' && port !== '8443') return rejected('must have the port 443 or 8443');
  if (isBlocked(hostname)) return { outcome: 'address_not_allowed' };
  return { outcome: 'accepted', url: url.href };
}

/** A ping that is due. */
export interface Ping {
  pingId: string;
  pingAttempts: number;
  pingAt: Date;
  pingUntil: Date;
}

/** The first ping of a pending endpoint. It is retried for an hour. */
export const newPing = (pingId: string, now: Date): Ping => ({
  pingId,
  pingAttempts: 0,
  pingAt: now,
  pingUntil: new Date(now.getTime() + timeouts.pingRetryMs),
});

/** An endpoint without a ping to send. */
export const noPing = { pingId: null, pingAttempts: 0, pingAt: null, pingUntil: null } as const;

/** An endpoint without failures. */
const noFailures = { failures: 0, failingSince: null, backoffUntil: null } as const;

/** Where an endpoint starts: after the last change of the feed. */
export const startAtHead = (headSequence: number) => ({
  watermark: headSequence,
  next: headSequence + 1,
});

/** The fields of an endpoint on which an update is decided. */
export interface EndpointState {
  status: EndpointStatus;
  url: string;
  types?: readonly string[] | null | undefined;
  watermark: number;
}

/** The columns that an update changes. */
export interface EndpointChanges extends Partial<typeof noFailures> {
  url?: string;
  types?: ChangeType[] | null;
  status?: EndpointStatus;
  disabledReason?: DisabledReason | null;
  watermark?: number;
  next?: number;
  pingId?: string | null;
  pingAttempts?: number;
  pingAt?: Date | null;
  pingUntil?: Date | null;
}

/** The deliveries that have failed and wait for their next attempt. */
export type LaneChange = 'keep' | 'retry_now' | 'delete';

export type UpdateDecision =
  | { outcome: 'unchanged' }
  | { outcome: 'invalid_transition'; from: EndpointStatus; to: EndpointStatus }
  | { outcome: 'too_many' }
  /** The changes after the watermark are not in the feed any more. */
  | { outcome: 'expired' }
  /** `isDisabled`: the update disables the endpoint, which the feed reports. */
  | { outcome: 'changed'; changes: EndpointChanges; lanes: LaneChange; isDisabled: boolean };

/** The changes that the feed of a business unit contains. */
export interface FeedRange {
  headSequence: number;
  /** The changes up to this sequence are not kept. */
  floor: number;
}

export interface UpdateContext extends FeedRange {
  now: Date;
  pingId: string;
  /** Whether the business unit has as many endpoints as it may have that are not disabled. */
  isFull: boolean;
}

/**
 * Decides what a patch with an accepted URL changes. An endpoint with a new URL, or one that is
 * enabled again, is pending until it acknowledges a ping. It continues after its watermark, or at
 * the head of the feed.
 */
export function decideUpdate(
  endpoint: EndpointState,
  { url, types, status, resumeFrom }: z.output<typeof UpdateWebhookEndpoint>,
  { now, pingId, headSequence, floor, isFull }: UpdateContext,
): UpdateDecision {
  const changes: EndpointChanges = {};
  const hasNewUrl = url !== undefined && url !== endpoint.url;
  if (hasNewUrl) changes.url = url;
  if (types !== undefined && !isSameList(types, endpoint.types ?? null)) changes.types = types;

  const isActive = endpoint.status !== 'disabled';
  // A client may send back what it has read: an endpoint that has become enabled meanwhile stays
  // so.
  if (status === 'pending' && !isActive) {
    return { outcome: 'invalid_transition', from: endpoint.status, to: status };
  }
  const isDisabled = status === 'disabled' && isActive;
  const isEnabled = status === 'enabled' && !isActive;
  const skips = resumeFrom === 'now' && endpoint.status !== 'enabled';
  if (isEnabled && isFull) return { outcome: 'too_many' };
  if (isEnabled && !skips && endpoint.watermark < floor) return { outcome: 'expired' };
  if (isDisabled) {
    Object.assign(changes, noPing, { status: 'disabled', disabledReason: 'requested' });
  } else if (isEnabled || (hasNewUrl && isActive)) {
    Object.assign(changes, newPing(pingId, now), noFailures);
    Object.assign(changes, { status: 'pending', disabledReason: null });
  }
  if (skips) Object.assign(changes, startAtHead(headSequence));
  if (Object.keys(changes).length === 0) return { outcome: 'unchanged' };
  const lanes = skips ? 'delete' : changes.status === 'pending' ? 'retry_now' : 'keep';
  return { outcome: 'changed', changes, lanes, isDisabled };
}

const isSameList = (a: readonly string[] | null, b: readonly string[] | null): boolean =>
  a === b || (a !== null && b !== null && a.length === b.length && a.every((x) => b.includes(x)));

/**
 * An encrypted secret that a rotation has replaced. It signs until its time, an ISO 8601 instant.
 */
export interface PreviousSecret {
  secret: string;
  until: string;
}

/**
 * The most replaced secrets that sign. Further rotations within 24 hours end the oldest ones early.
 */
const maxPreviousSecrets = 4;

/**
 * The secrets that sign beside the new one after a rotation, newest first: each for 24 hours after
 * its replacement.
 */
export function rotatedSecrets(
  secret: string,
  previous: readonly PreviousSecret[],
  now: Date,
): PreviousSecret[] {
  const until = new Date(now.getTime() + timeouts.secretOverlapMs).toISOString();
  const valid = previous.filter((each) => new Date(each.until) > now);
  return [{ secret, until }, ...valid].slice(0, maxPreviousSecrets);
}

export type TestDecision = { outcome: 'disabled' } | { outcome: 'ping'; ping: Ping };

/**
 * Decides on the ping of a test. That of a pending endpoint is sent at once, and retried until its
 * hour ends.
 */
export function decideTest(
  { status, pingUntil }: { status: EndpointStatus; pingUntil?: Date | null | undefined },
  pingId: string,
  now: Date,
): TestDecision {
  if (status === 'disabled') return { outcome: 'disabled' };
  const ping = newPing(pingId, now);
  return { outcome: 'ping', ping: { ...ping, pingUntil: pingUntil ?? ping.pingUntil } };
}

export interface ReplayContext extends FeedRange {
  status: EndpointStatus;
  isRunning: boolean;
  /** The sequence of `changeId`; null if the feed does not contain it. */
  sequenceOfChange: number | null;
}

export type ReplayDecision =
  | { outcome: 'replay'; from: number; to: number }
  | { outcome: 'disabled' }
  | { outcome: 'running' }
  | { outcome: 'expired' }
  | { outcome: 'change_unknown' }
  /** The field that names a sequence which the feed does not have yet. */
  | { outcome: 'beyond_end'; field: 'from' | 'to' };

/** Decides which changes a replay delivers. A pending endpoint gets them once it is enabled. */
export function decideReplay(
  { from, to, changeId }: z.output<typeof ReplayChanges>,
  { status, isRunning, headSequence, floor, sequenceOfChange }: ReplayContext,
): ReplayDecision {
  if (changeId !== undefined && sequenceOfChange === null) return { outcome: 'change_unknown' };
  const first = sequenceOfChange ?? from ?? 0;
  const last = sequenceOfChange ?? to ?? 0;
  if (first > headSequence) return { outcome: 'beyond_end', field: 'from' };
  if (last > headSequence) return { outcome: 'beyond_end', field: 'to' };
  if (status === 'disabled') return { outcome: 'disabled' };
  if (first <= floor) return { outcome: 'expired' };
  return isRunning ? { outcome: 'running' } : { outcome: 'replay', from: first, to: last };
}

/** The id of an attempt in the API. */
export const attemptIdOf = (number: number): string => `whd_${number}`;

/** The number of an attempt, or null if the text is not the id of one. */
export function attemptNumberOf(id: string): number | null {
  const [, digits] = /^whd_([1-9]\d{0,14})$/.exec(id) ?? [];
  return digits === undefined ? null : Number(digits);
}
