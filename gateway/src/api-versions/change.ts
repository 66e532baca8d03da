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

/** Every change since the first version, one module each beside this file. There is none yet. */
export const versionChanges: readonly VersionChange[] = [];

/** A JSON body after `step`; bytes that are no JSON pass unchanged, for the service to refuse. */
export function translateBody(bytes: Buffer, step: ((body: unknown) => unknown) | null): Buffer {
  if (!step) return bytes;
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString());
  } catch {
    return bytes;
  }
  return Buffer.from(JSON.stringify(step(body)));
}
