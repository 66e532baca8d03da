import { unavailable } from '../core/errors.ts';
import { traceBatch } from '../telemetry/batch-span.ts';
import { currentTrace, type TraceScope } from '../telemetry/trace-scope.ts';

export interface BatchQueue<Input, Result> {
  /** Answers with whatever else is waiting. Errors: 503 when too many wait, and the batch's own. */
  submit(input: Input): Promise<Result>;
  /** How many wait for a batch of theirs. */
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
 * Has many asked at once. One batch is under way at a time, and the next takes all that has come meanwhile: nothing waits
 * for a timer, batches grow with the load, and whoever is alone is answered at once.
 * `run` answers each of its batch, in the same order; what it sees is never older than the question. Each request's
 * trace gets a span of its batch, under this name.
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
      if (results.length !== batch.length) throw new Error('a batch left somebody unanswered');
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    submit: (input) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= maxWaiting) return reject(unavailable(new Error('too many wait')));
        waiting.push({ input, trace: currentTrace(), resolve, reject });
        if (isWorking) return;
        isWorking = true;
        queueMicrotask(() => void work());
      }),
    waiting: () => waiting.length,
  };
}
