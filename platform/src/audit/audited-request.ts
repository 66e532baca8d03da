import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from '@event-api/contracts/actor';
import { randomId } from '../core/ids.ts';

/**
 * A request of an operator or of the command line that may change something. It gets one entry of
 * the audit log.
 */
export interface AuditedRequest {
  /** The id of the entry. */
  readonly id: string;
  readonly requestId: string;
  readonly operation: string;
  readonly actor: Actor;
  readonly businessUnitId: string | null;
  readonly eventId: string | null;
  /** The ids that the request names. */
  readonly records: readonly string[];
  /** The names of the fields that the request sets, without their values. */
  readonly fields: readonly string[];
  /** The note of the operator, if the request has one. */
  readonly reason: string | null;
  /** Whether the transaction of its decision has written the entry. */
  isRecorded: boolean;
  /** Whether it consists of several transactions, so that its beginning has an entry of its own. */
  hasStarted: boolean;
}

/**
 * The audited request with these facts. Its id is not derived from an `Idempotency-Key`: each
 * request has its own entry.
 */
export const newAuditedRequest = (
  known: Pick<AuditedRequest, 'requestId' | 'operation' | 'actor'> &
    Partial<Omit<AuditedRequest, 'id'>>,
): AuditedRequest => ({
  businessUnitId: null,
  eventId: null,
  records: [],
  fields: [],
  reason: null,
  isRecorded: false,
  hasStarted: false,
  ...known,
  id: randomId('aud'),
});

const requests = new AsyncLocalStorage<AuditedRequest | null>();

/**
 * Runs `work`, and everything it starts, as a part of this request; with null, its changes belong
 * to no request.
 */
export const runAudited = <Result>(request: AuditedRequest | null, work: () => Result): Result =>
  requests.run(request, work);

/**
 * The audited request that is being carried out, or null. A command that is queued reads it when it
 * is queued and carries it with the queued item, because another request runs the queue.
 */
export const currentAudited = (): AuditedRequest | null => requests.getStore() ?? null;
