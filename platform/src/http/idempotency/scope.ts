import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { runWithIdSource } from '../../core/ids.ts';

/** One run of a request with an `Idempotency-Key`. */
export interface IdempotencyScope {
  /** The ids of the records that this request creates derive from it. */
  readonly seed: string;
  readonly startedAt: Date;
  /** Identifies this run among those of its key. */
  readonly leaseUntil: Date;
  /** An earlier run may have stopped at any point. */
  readonly isRetry: boolean;
  /** The number of ids created so far, by prefix. */
  readonly counts: Map<string, number>;
  /** The ids cannot serve another run. */
  idsDiscarded: boolean;
  /** Whether the response may be stored. */
  isStorable: boolean;
}

const scopes = new AsyncLocalStorage<IdempotencyScope>();

/** Runs `work`, and everything it starts, in this scope and with ids derived from its seed. */
export const runWithLease = <Result>(scope: IdempotencyScope, work: () => Result): Result =>
  scopes.run(scope, () => runWithIdSource((kind) => nextDerivedIdBytes(scope, kind), work));

/** Whether an earlier run of the current request may have created its records. */
export const isRetry = (): boolean => scopes.getStore()?.isRetry ?? false;

/**
 * Declares that everything begun under this request's ids has been closed for good and that no
 * record uses them. If the request fails, a retry runs with other ids.
 */
export function discardIds(): void {
  const scope = scopes.getStore();
  if (scope) scope.idsDiscarded = true;
}

/**
 * Keeps the response of this request out of the database, because it contains a secret. A retry
 * runs the operation again and recognizes its record by the id.
 */
export function doNotStoreResponse(): void {
  const scope = scopes.getStore();
  if (scope) scope.isStorable = false;
}

/**
 * The bytes of the next id of this kind, the same in every run of the request. They begin with the
 * time at which the first run started, so that the ids sort by it.
 */
function nextDerivedIdBytes(scope: IdempotencyScope, kind: string): Uint8Array {
  const count = (scope.counts.get(kind) ?? 0) + 1;
  scope.counts.set(kind, count);
  const bytes = createHash('sha256')
    .update(`${scope.seed} ${kind} ${count}`)
    .digest()
    .subarray(0, 16);
  bytes.writeUIntBE(scope.startedAt.getTime(), 0, 6);
  // The version and variant bits of UUID version 7.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes;
}
