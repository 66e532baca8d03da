import { unavailable } from '../core/errors.ts';
import { traceBatch } from '../telemetry/batch-span.ts';
import { currentTrace, type TraceScope } from '../telemetry/trace-scope.ts';

export interface BatchQueue<Input, Result> {
  /** Submits a request to the next batch. Errors: 503 when too many requests wait, and those of the batch. */
  submit(input: Input): Promise<Result>;
  /** The number of requests that wait for a batch. */
  waiting(): number;
}

interface QueuedRequest<Input, Result> {
  input: Input;
  trace: TraceScope | null;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

const maxBatch = 256;
const maxWaiting = 5000;

/**
 * Processes requests in batches. One batch runs at a time; requests that arrive meanwhile form the next one.
 * There is no timer: a single request runs immediately, and batches grow with the load.
 * `run` returns one result per request, in the same order. It starts after all its requests have arrived. The
 * trace of each request gets a span of its batch, named `name`.
 */
export function createBatchQueue<Input, Result>(options: {
  name: string;
  run: (batch: readonly Input[]) => Promise<readonly Result[]>;
  onBatch?: (size: number) => void;
}): BatchQueue<Input, Result> {
  const { name, run, onBatch } = options;
  let waiting: QueuedRequest<Input, Result>[] = [];
  let isWorking = false;

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      onBatch?.(batch.length);
      await traceBatch(
        { name, kind: 'internal', attributes: { 'event_api.batch.size': batch.length } },
        batch.map(({ trace }) => trace),
        () => runBatch(batch),
      );
    }
    isWorking = false;
  }

  async function runBatch(batch: readonly QueuedRequest<Input, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ input }) => input));
      if (results.length !== batch.length)
        throw new Error('the batch returned a different number of results than requests');
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    submit: (input) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= maxWaiting)
          return reject(unavailable(new Error('too many requests wait')));
        waiting.push({ input, trace: currentTrace(), resolve, reject });
        if (isWorking) return;
        isWorking = true;
        queueMicrotask(() => void work());
      }),
    waiting: () => waiting.length,
  };
}
