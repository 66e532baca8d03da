import { AsyncLocalStorage } from 'node:async_hooks';
import { mergeReadAfter, type ReadAfterToken } from './token.ts';

/** What one request was asked to wait for, and what it has since written or learnt of. */
export interface ReadAfterScope {
  readonly required: ReadAfterToken | null;
  produced: ReadAfterToken | null;
}

const scopes = new AsyncLocalStorage<ReadAfterScope>();

/** Runs `work`, and all that it starts, in this scope. */
export const runInScope = <Result>(scope: ReadAfterScope, work: () => Result): Result =>
  scopes.run(scope, work);

/** Notes that the answer under way rests on this position of the stream. Outside a request nobody wants to know. */
export function recordWrite(token: ReadAfterToken | null): void {
  const scope = scopes.getStore();
  if (scope && token) scope.produced = mergeReadAfter(scope.produced, token);
}

/** What a call to another service must carry: what this request was asked for and what it has done itself. */
export function currentToken(): ReadAfterToken | null {
  const scope = scopes.getStore();
  return scope ? mergeReadAfter(scope.required, scope.produced) : null;
}

/** Runs work that serves several requests, apart from each of them, and answers what it wrote. */
export async function captureWrites<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; produced: ReadAfterToken | null }> {
  const scope: ReadAfterScope = { required: null, produced: null };
  const result = await scopes.run(scope, work);
  return { result, produced: scope.produced };
}
