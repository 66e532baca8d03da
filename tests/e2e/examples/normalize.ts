import { createHash } from 'node:crypto';
import type { Exchange } from './recording.ts';

// The id of a seat ends with its place in the order.
const idPattern = /\b([a-z]+)_([0-9a-z]{26})(?![0-9a-z])/g;
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** A time within a text. */
const innerInstantPattern = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** `1.`, an epoch, a sequence and the start of a digest, in base64url. */
const feedCursorPattern = /^MS[45][\w-]{70,}$/;
/** A list of the name of a roster and a position, in base64url. */
const rosterCursorPattern = /^WyJyb3N0ZXIg[\w-]+$/;
const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const digestStartLength = 16;
const holdMs = 15 * 60_000;
const dayMs = 24 * 3_600_000;

/**
 * Replaces values that differ between two runs (ids, random codes, times, hosts) by fixed values,
 * so that recordings are reproducible. The same id gets the same replacement everywhere. Times that
 * a request sent, or that are far from the run, are unchanged. Other times become seconds after
 * `start`, in the order of their first appearance. A hold ends 15 minutes after its order was
 * placed. Versions, epochs, digests, cursors and keys become fixed ones.
 */
export function normalize(exchanges: readonly Exchange[], start: Date): Exchange[] {
  const ids = new Map<string, string>();
  const codes = new Map<string, string>();
  const times = new Map<string, string>();
  const versions = new Map<number, number>();
  const sent = new Set(exchanges.flatMap(({ request }) => instantsIn(request)));

  function replaceId(id: string, prefix: string): string {
    const replacement =
      ids.get(id) ??
      `${prefix}_01${letters(`${prefix} ${countOf(ids, prefix)}`, 24).toLowerCase()}`;
    ids.set(id, replacement);
    return replacement;
  }

  function replaceCode(code: string, prefix: string, length: number): string {
    const replacement = codes.get(code) ?? `${prefix}${letters(`${prefix} ${codes.size}`, length)}`;
    codes.set(code, replacement);
    return replacement;
  }

  /** The number of an attempt. */
  function replaceAttempt(id: string): string {
    const replacement = ids.get(id) ?? `whd_${firstAttempt + countOf(ids, 'whd')}`;
    ids.set(id, replacement);
    return replacement;
  }

  /** The request of a delivery, which was sent at this time. */
  function replaceDelivered({ url, headers, body }: Delivered, sentAt: string): Delivered {
    const seconds = String(Math.floor(Date.parse(sentAt) / 1000));
    return {
      url: replaceText(url),
      headers: { ...(replace(headers) as Delivered['headers']), 'webhook-timestamp': seconds },
      body: replaceText(body.replace(innerInstantPattern, sentAt)),
    };
  }

  const replaceHash = (hash: string): string => replaceCode(hash, '', 22);

  /** Digests with the same start get the same replacement, as a cursor contains only the start. */
  const replaceDigest = (digest: string): string =>
    sha256(replaceCode(digest.slice(0, digestStartLength), '', 10));

  /** A cursor of the feed with the epoch of the examples. */
  function replaceCursor(cursor: string): string {
    const [version, , sequence, digest = ''] = Buffer.from(cursor, 'base64url')
      .toString()
      .split('.');
    const start = replaceDigest(digest).slice(0, digestStartLength);
    return Buffer.from(`${version}.${feedEpoch}.${sequence}.${start}`).toString('base64url');
  }

  /** A key of a webhook endpoint: 32 bytes in base64. */
  function replaceKey(key: string, prefix: string): string {
    const bytes = Buffer.from(sha256(replaceCode(key, prefix, 10)), 'hex');
    return `${prefix}_${bytes.toString('base64')}`;
  }

  function replaceText(text: string): string {
    return text
      .replace(idPattern, (id, prefix: string) => replaceId(id, prefix))
      .replace(/^whd_\d+$/, (id) => replaceAttempt(id))
      .replace(/\b(CHK-)[0-9A-Z]{16}\b/g, (code, prefix: string) => replaceCode(code, prefix, 16))
      .replace(/\b(ORD-)[0-9A-Z]{8}\b/g, (code, prefix: string) => replaceCode(code, prefix, 8))
      .replace(/^[0-9A-HJKMNP-TV-Z]{10}$/, (code) => replaceCode(code, '', 10))
      .replace(feedCursorPattern, replaceCursor)
      .replace(rosterCursorPattern, () => rosterCursor)
      .replace(/^[0-9a-f]{8}-[0-9a-f-]{27}$/, () => feedEpoch)
      .replace(/^[0-9a-f]{64}$/, replaceDigest)

      .replace(/\b(dk_live_|ct_live_)[0-9A-Za-z]{32}$/, (token, prefix: string) =>
        replaceCode(token, prefix, 32),
      )
      .replace(/\bcs_[0-9a-f]{32}\b/g, (session) => replaceCode(session, 'cs_', 26))
      .replace(/^(whsec|whpk)_[A-Za-z0-9+/]{43}=$/, (key, prefix: string) =>
        replaceKey(key, prefix),
      )
      .replace(/^http:\/\/127\.0\.0\.1:\d+\/webhooks$/, 'https://shop.example/webhooks')
      .replace(/^https?:\/\/(127\.0\.0\.1|localhost):\d+\//, 'https://pay.example.com/');
  }

  /** Versions are microseconds of the clock. */
  function versionOf(version: number): number {
    const fixed = versions.get(version) ?? start.getTime() * 1000 + versions.size;
    versions.set(version, fixed);
    return fixed;
  }

  function timeOf(record: string, field: string, siblings: Record<string, unknown>): string {
    const key = `${record}.${field}`;
    const placedAt = times.get(`${record}.placedAt`);
    if (field === 'holdExpiresAt' && siblings.placedAt && !placedAt) {
      timeOf(record, 'placedAt', siblings);
      return timeOf(record, field, siblings);
    }
    const time =
      times.get(key) ??
      (field === 'holdExpiresAt' && placedAt
        ? new Date(Date.parse(placedAt) + holdMs)
        : new Date(start.getTime() + (times.size + 1) * 1000)
      ).toISOString();
    times.set(key, time);
    return time;
  }

  function replace(value: unknown): unknown {
    if (typeof value === 'string') return replaceText(value);
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    const fields = value as Record<string, unknown>;
    const record = typeof fields.id === 'string' ? replaceText(fields.id) : '';
    return Object.fromEntries(
      Object.entries(fields).map(([field, each]) => {
        const isTime = typeof each === 'string' && isOfRun(each) && !sent.has(each);
        if (field === 'publicId') return [field, publicId(String(each), record)];
        if (field === 'version' && typeof each === 'number') return [field, versionOf(each)];
        if (field === 'request' && typeof fields.attemptedAt === 'string') {
          return [
            field,
            replaceDelivered(each as Delivered, timeOf(record, 'attemptedAt', fields)),
          ];
        }
        if (field === 'durationMs') return [field, exampleDurationMs];
        if (field === 'codeHash') return [field, replaceHash(String(each))];
        if (field === 'replacedCodeHashes') return [field, (each as string[]).map(replaceHash)];
        if (field === 'badges') return [field, inOrderOfCreation(each).map(replace)];
        return [field, isTime ? timeOf(record, field, fields) : replace(each)];
      }),
    );
  }

  return exchanges.map((each) => ({
    ...each,
    request: replace(each.request),
    response: replace(each.response),
  }));
}

/** The request of a delivery, as the API returns it. */
interface Delivered {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The badges of a roster, whose order depends on which messages were applied together. */
const inOrderOfCreation = (badges: unknown): unknown[] =>
  (badges as { registrationId: string }[]).toSorted((one, other) =>
    one.registrationId < other.registrationId ? -1 : 1,
  );

/** The cursor of a roster in the examples. */
const rosterCursor = Buffer.from(JSON.stringify(['roster', 'epoch', 42, ''])).toString('base64url');

/** The number of the first attempt in the examples. */
const firstAttempt = 48_213;

/** How long the endpoint takes to respond in the examples. */
const exampleDurationMs = 42;

/** The epoch of the feed in the examples. */
const feedEpoch = 'f1c8b1b6-2f0e-4a55-8d4a-0d8c7e0f9f11';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const isOfRun = (text: string): boolean =>
  instantPattern.test(text) && Math.abs(Date.parse(text) - Date.now()) < dayMs;

const publicId = (text: string, record: string): string =>
  text.replace(/[^-]+$/, letters(record, 6).toLowerCase());

/** Returns letters of Crockford's base32 that depend only on `seed`. */
function letters(seed: string, length: number): string {
  const bytes = createHash('sha256').update(seed).digest();
  return [...bytes.subarray(0, length)].map((byte) => crockford[byte % 32]).join('');
}

const countOf = (ids: ReadonlyMap<string, string>, prefix: string): number =>
  [...ids.keys()].filter((id) => id.startsWith(`${prefix}_`)).length;

/** Returns the times of a request in the format of responses. */
function instantsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    const time = /^\d{4}-\d\d-\d\d[Tt]/.test(value) ? Date.parse(value) : Number.NaN;
    return Number.isNaN(time) ? [] : [new Date(time).toISOString()];
  }
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(instantsIn)
    : [];
}
