/** What one dated version changes for callers of older versions. */
export interface VersionChange {
  /**
   * The version with the change. Requests and responses of callers pinned to an earlier version are
   * translated.
   */
  version: string;
  /** For the changelog: what callers of this version see. */
  description: string;
  /** By `operationId`. */
  operations: Record<string, OperationChange>;
}

/** Both functions accept any JSON, also JSON that no schema has validated, and never throw. */
export interface OperationChange {
  /** Translates an older request body to this version. */
  request?: (body: unknown) => unknown;
  /** Translates a successful response body of this version to the version before. */
  response?: (body: unknown) => unknown;
}

/** The translation of one request and its response. With null, bytes pass unchanged. */
export interface OperationTranslation {
  request: ((body: unknown) => unknown) | null;
  response: ((body: unknown) => unknown) | null;
}

/** Translates a JSON body. Bytes that are not JSON pass unchanged; the service rejects them. */
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
