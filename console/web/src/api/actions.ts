import { useCallback, useMemo, useRef, useState } from 'react';
import { runCommand, useReload, useScopePath } from './api.queries.ts';
import { type ApiRequest, newIdempotencyKey, useClient } from './client.ts';
import { ApiError } from './error.ts';
import { createSubmission } from './submission.ts';
import { useOptionalUnit } from './unit.ts';

/** A write: an API operation below the unit's path, or an operator command. */
export type Write =
  | { method: 'POST' | 'PATCH' | 'PUT'; path: string; body?: unknown }
  | { command: string; input: Record<string, unknown> };

type Send = <T>(write: Write) => Promise<T>;

/** Sends one write, then reads the page again. */
export function useSend(): Send {
  const send = useSendOnly();
  const reload = useReload();
  return useCallback(
    <T>(write: Write) => send<T>(write).finally(() => void reload()),
    [send, reload],
  );
}

/**
 * Sends one write. The same write is sent with the same idempotency key while its effect is
 * uncertain. One of many writes uses it, which read the page again at their end.
 */
export function useSendOnly(): Send {
  const client = useClient();
  const unit = useOptionalUnit();
  const scope = useScopePath();
  const uncertain = useRef<{ write: string; key: string } | null>(null);
  return useCallback(
    async <T>(write: Write): Promise<T> => {
      const text = JSON.stringify(write);
      const key = uncertain.current?.write === text ? uncertain.current.key : newIdempotencyKey();
      uncertain.current = { write: text, key };
      try {
        const result =
          'command' in write
            ? await runCommand<T>(client, {
                operationId: write.command,
                input: write.input,
                unitId: unit?.id ?? null,
                idempotencyKey: key,
              })
            : await client.request<T>(requestOf(scope, write, key));
        uncertain.current = null;
        return result;
      } catch (error) {
        if (!(error instanceof ApiError && error.isUncertain)) uncertain.current = null;
        throw error;
      }
    },
    [client, unit, scope],
  );
}

const requestOf = (
  scope: string,
  write: Extract<Write, { path: string }>,
  idempotencyKey: string,
): ApiRequest => ({
  method: write.method,
  path: `${scope}/${write.path}`,
  body: write.body ?? {},
  idempotencyKey,
});

/** What a button starts: whether it runs, and the error of the last run. */
interface Run<Input> {
  /** Returns whether it succeeded. */
  run: (input: Input) => Promise<boolean>;
  isRunning: boolean;
  error: Error | null;
  reset: () => void;
}

/** A write that a button starts. */
export type Action = Run<Write | readonly Write[]>;

/** Runs `work` once at a time. */
export function useRun<Input = void>(work: (input: Input) => Promise<void>): Run<Input> {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const busy = useRef(false);
  const run = async (input: Input): Promise<boolean> => {
    // A double click is one submission.
    if (busy.current) return false;
    busy.current = true;
    setRunning(true);
    setError(null);
    try {
      await work(input);
      return true;
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
      return false;
    } finally {
      busy.current = false;
      setRunning(false);
    }
  };
  return { run, isRunning, error, reset: () => setError(null) };
}

/** Sends the writes of a submission by `send`, each once. */
export const useSubmission = (send: Send) => useMemo(() => createSubmission<Write>(send), [send]);

/** Runs writes one after the other until one fails. `onDone` gets the result of the last one. */
export function useAction<T = unknown>(onDone?: (result: T) => void): Action {
  const submit = useSubmission(useSend());
  return useRun(async (writes) => {
    const result = await submit(async (once) => {
      let last: T | undefined;
      for (const write of Array.isArray(writes) ? writes : [writes]) last = await once<T>(write);
      return last;
    });
    onDone?.(result as T);
  });
}
