/** The result of work with a time limit. */
export type Timed<Value> = { outcome: 'done'; value: Value } | { outcome: 'late' };

/**
 * Waits for `work` at most `timeoutMs`. Late work continues, and its result or failure is ignored.
 * Errors: those of `work` in time.
 */
export async function withTimeout<Value>(
  work: Promise<Value>,
  timeoutMs: number,
): Promise<Timed<Value>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Timed<Value>>((resolve) => {
    timer = setTimeout(() => resolve({ outcome: 'late' }), timeoutMs);
  });
  const done = work.then((value): Timed<Value> => ({ outcome: 'done', value }));
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}
