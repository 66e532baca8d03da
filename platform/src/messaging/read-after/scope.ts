import { AsyncLocalStorage } from 'node:async_hooks';
import { formatReadAfter, mergeReadAfter, type ReadAfterToken } from './token.ts';

/** What a request must wait for, and what it has written or learned of since. */
export interface ReadAfterScope {
  readonly required: ReadAfterToken | null;
  produced: ReadAfterToken | null;
}

const scopes = new AsyncLocalStorage<ReadAfterScope>();

/** Runs `work`, and everything it starts, in this scope. */
export const runInScope = <Result>(scope: ReadAfterScope, work: () => Result): Result =>
  scopes.run(scope, work);

/**
 * Records that the current request depends on these stream sequences. Outside a request it does
 * nothing.
 */
export function recordWrite(token: ReadAfterToken | null): void {
  const scope = scopes.getStore();
  if (scope && token) scope.produced = mergeReadAfter(scope.produced, token);
}

/**
 * The token that a call to another service carries: what this request requires and what it has
 * written.
 */
export function currentToken(): ReadAfterToken | null {
  const scope = scopes.getStore();
  return scope ? mergeReadAfter(scope.required, scope.produced) : null;
}

/** The current token as text, for storage beside a record that later calls depend on. */
export function serializeCurrentToken(): string | null {
  const token = currentToken();
  return token && formatReadAfter(token);
}

/** Runs work that serves several requests outside the scope of each, and returns what it wrote. */
export async function captureWrites<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; produced: ReadAfterToken | null }> {
  const scope: ReadAfterScope = { required: null, produced: null };
  const result = await scopes.run(scope, work);
  return { result, produced: scope.produced };
}
