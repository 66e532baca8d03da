import { createHash } from 'node:crypto';
import type { Change } from './changes.ts';

/** The digest of an epoch before its first change, in hex. */
export const firstDigest = (epoch: string): string =>
  createHash('sha256').update(epoch, 'utf8').digest('hex');

/**
 * The digest after a change: SHA-256 of the 32 bytes of the digest before it and the line of the
 * change.
 */
export const nextDigest = (digest: string, change: Change): string =>
  createHash('sha256')
    .update(Buffer.from(digest, 'hex'))
    .update(lineOf(change), 'utf8')
    .digest('hex');

/** The values of a change, each on a line of its own. Null is the empty string. */
function lineOf({ object, previous, current, actor, ...change }: Change): string {
  const values = [
    change.sequence,
    change.id,
    change.type,
    change.occurredAt,
    change.eventId,
    object.type,
    object.id,
    object.version,
    previous?.status,
    current?.status,
    actor.type,
    actor.id,
  ];
  return values.map((value) => `${value ?? ''}\n`).join('');
}
