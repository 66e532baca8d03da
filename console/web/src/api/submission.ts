/**
 * Runs the writes of one submission. A retry after a failure does not repeat the writes that have
 * succeeded, as long as they and those before them are the same: a form that creates a record and
 * then changes it creates one record.
 */
export function createSubmission<Write>(send: <T>(write: Write) => Promise<T>) {
  let done: { text: string; result: unknown }[] = [];
  return async <Result>(
    work: (once: <T>(write: Write) => Promise<T>) => Promise<Result>,
  ): Promise<Result> => {
    let position = 0;
    const result = await work(async <T>(write: Write): Promise<T> => {
      const at = position;
      position += 1;
      const text = JSON.stringify(write);
      const known = done[at];
      if (known?.text === text) return known.result as T;
      done = done.slice(0, at);
      const sent = await send<T>(write);
      done[at] = { text, result: sent };
      return sent;
    });
    done = [];
    return result;
  };
}
