import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomBytes } from 'node:crypto';
import type { IdPrefix } from '@event-api/contracts/ids';
import { TypeID, typeidUnboxed } from 'typeid-js';

/** The 16 bytes of the next id of a prefix. */
export type IdSource = (prefix: IdPrefix) => Uint8Array;

const sources = new AsyncLocalStorage<IdSource>();

/** Runs `work`, and everything it starts, with ids from `source` instead of random ones. */
export const runWithIdSource = <Result>(source: IdSource, work: () => Result): Result =>
  sources.run(source, work);

/**
 * A new TypeID such as `evt_01k8…`: unique without coordination, sorted by creation time. In a
 * request with an `Idempotency-Key` every run creates the same ids, so that a retry recognizes the
 * records of an earlier run.
 */
export function newId(prefix: IdPrefix): string {
  const source = sources.getStore();
  return source ? TypeID.fromUUIDBytes(prefix, source(prefix)).toString() : randomId(prefix);
}

/**
 * A TypeID that differs in every run, for records that a retry creates again: an attempt or a
 * message.
 */
export const randomId = (prefix: IdPrefix): string => typeidUnboxed(prefix);

/** The TypeID of a text: the first half of its SHA-256. It does not sort by time. */
export function derivedId(prefix: 'con', text: string): string {
  const digest = createHash('sha256').update(text).digest();
  return TypeID.fromUUIDBytes(prefix, digest.subarray(0, 16)).toString();
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Random characters of Crockford's base32, five bits each. They cannot be guessed. */
export const randomBase32 = (length: number): string =>
  Array.from(randomBytes(length), (byte) => crockford[byte % crockford.length]).join('');
