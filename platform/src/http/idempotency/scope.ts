import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';

/** What a request with an `Idempotency-Key` is run with. */
export interface IdempotencyScope {
  readonly seed: string;
  readonly begunAt: Date;
  /** Identifies this run among those of its key. */
  readonly leaseUntil: Date;
  /** Somebody has begun before, and may have come to any point. */
  readonly isRetry: boolean;
  /** How many ids of each kind were made. */
  readonly counts: Map<string, number>;
  /** Its ids can serve no other run. */
  idsDiscarded: boolean;
  /** Whether the response may be stored. */
  isStorable: boolean;
}

const scopes = new AsyncLocalStorage<IdempotencyScope>();

export const runWithLease = <Result>(scope: IdempotencyScope, work: () => Result): Result =>
  scopes.run(scope, work);

/** Whether the request under way may have been run before, so that its records may be there. */
export const isRetry = (): boolean => scopes.getStore()?.isRetry ?? false;

/**
 * Says that what was begun under this request's ids has been closed for good, and that nothing else was made under them:
 * if it fails, a repeat is run with others.
 */
export function discardIds(): void {
  const scope = scopes.getStore();
  if (scope) scope.idsDiscarded = true;
}

/**
 * Keeps the response of this request out of the database, because it contains a secret. A retry runs the operation again,
 * which has to recognize its record by its id.
 */
export function doNotStoreResponse(): void {
  const scope = scopes.getStore();
  if (scope) scope.isStorable = false;
}

/**
 * The bytes of the next id of this kind, the same in every run of the request; null outside of one. They begin
 * with the time at which the first run began, so that the ids sort by it.
 */
export function nextDerivedIdBytes(kind: string): Uint8Array | null {
  const scope = scopes.getStore();
  if (!scope) return null;
  const count = (scope.counts.get(kind) ?? 0) + 1;
  scope.counts.set(kind, count);
  const bytes = createHash('sha256')
    .update(`${scope.seed} ${kind} ${count}`)
    .digest()
    .subarray(0, 16);
  bytes.writeUIntBE(scope.begunAt.getTime(), 0, 6);
  // As UUID version 7 says of itself.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes;
}
