/** What one dated version changed for callers of older ones. */
export interface VersionChange {
  /** The version that brought the change: callers pinned to an earlier one are translated. */
  version: string;
  /** For the changelog: what callers of this version see. */
  description: string;
  /** By `operationId`. */
  operations: Record<string, OperationChange>;
}

/** Both parts take any JSON, also what no schema has seen yet, and never throw on it. */
export interface OperationChange {
  /** An older request body, as this version writes it. */
  request?: (body: unknown) => unknown;
  /** This version's successful answer, as callers of older versions know it. */
  response?: (body: unknown) => unknown;
}

/** How one request and its answer are translated. A part that is missing passes bytes as they are. */
export interface OperationTranslation {
  request: ((body: unknown) => unknown) | null;
  response: ((body: unknown) => unknown) | null;
}
