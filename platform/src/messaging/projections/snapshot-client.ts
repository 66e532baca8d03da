import type { Snapshot } from '@event-api/contracts/messages/snapshot';

export interface SnapshotPage {
  /** Not validated: a malformed record must not hide the others. */
  snapshots: unknown[];
  /** The id after which the next page starts; null on the last page. */
  next: string | null;
}

/** The lineage of an owner's database. */
export interface OwnerLineage {
  lineage: string;
  /** The one before it; null if there was none, undefined from a release that does not store it. */
  previousLineage?: string | null | undefined;
}

/** Reads records from the service that owns them. */
export interface SnapshotClient {
  /** The current record, or null if there is none. Errors: 503, also after a timeout. */
  read(type: string, businessUnitId: string, id: string): Promise<Snapshot | null>;
  /**
   * The lineage of the owner's database now. Errors: 503, also when `signal` aborts, and if it
   * cannot be checked.
   */
  lineage(signal: AbortSignal): Promise<OwnerLineage>;
  /**
   * The records of a type in the order of their ids, after a page's `next`. Errors: 503, also when
   * `signal` aborts.
   */
  page(type: string, after: string | null, signal: AbortSignal): Promise<SnapshotPage>;
}
