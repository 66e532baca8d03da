import { createHash } from 'node:crypto';
import { TypeID, typeidUnboxed } from 'typeid-js';

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
  | 'msg';

/** A new TypeID such as `evt_01k8…`: unique without coordination, sorting by time of making. */
export const newId = (prefix: IdPrefix): string => typeidUnboxed(prefix);

/** A TypeID that is the same for the same text: the first half of its SHA-256. It does not sort by time. */
export function derivedId(prefix: 'con', text: string): string {
  const digest = createHash('sha256').update(text).digest();
  return TypeID.fromUUIDBytes(prefix, digest.subarray(0, 16)).toString();
}
