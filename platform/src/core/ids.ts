import { createHash, randomBytes } from 'node:crypto';
import { TypeID, typeidUnboxed } from 'typeid-js';
import { nextDerivedIdBytes } from '../http/idempotency/scope.ts';

export type IdPrefix =
  | 'evt'
  | 'tt'
  | 'addon'
  | 'bdl'
  | 'perk'
  | 'reg'
  | 'att'
  | 'code'
  | 'chk'
  | 'ses'
  | 'spk'
  | 'ven'
  | 'exh'
  | 'booth'
  | 'unit'
  | 'key'
  | 'req'
  | 'msg'
  | 'ord'
  | 'pay'
  | 'stl'
  | 'rfd';

/**
 * A new TypeID such as `evt_01k8…`: unique without coordination, sorting by time of making. In a request with
 * an `Idempotency-Key` it is the same in every run of it, so that a rerun knows the record that it has made.
 */
export function newId(prefix: IdPrefix): string {
  const bytes = nextDerivedIdBytes(prefix);
  return bytes ? TypeID.fromUUIDBytes(prefix, bytes).toString() : randomId(prefix);
}

/** The same, but another one in every run: for what a rerun may have to make once more, an attempt or a message. */
export const randomId = (prefix: IdPrefix): string => typeidUnboxed(prefix);

/** A TypeID that is the same for the same text: the first half of its SHA-256. It does not sort by time. */
export function derivedId(prefix: 'con', text: string): string {
  const digest = createHash('sha256').update(text).digest();
  return TypeID.fromUUIDBytes(prefix, digest.subarray(0, 16)).toString();
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Letters that cannot be guessed, in Crockford's base32: five random bits each. */
export const randomBase32 = (length: number): string =>
  Array.from(randomBytes(length), (byte) => crockford[byte % crockford.length]).join('');
