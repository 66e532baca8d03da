import { unavailable } from '../core/errors.ts';
import { createTurnQueue, type TurnQueue } from '../core/turn-queue.ts';
import { traceBatch } from '../telemetry/batch-span.ts';
import { currentTrace, type TraceScope } from '../telemetry/trace-scope.ts';

export interface BatchQueue<Input, Result> {
  /**
   * Submits a request to the next batch. Errors: 503 when too many requests wait or this one has
   * waited too long, and those of the batch.
   */
  submit(input: Input): Promise<Result>;
  /** The number of requests that wait for a batch. */
  waiting(): number;
}

export interface BatchQueueOptions<Input, Result> {
  /** The name of the span that each traced request gets of its batch. */
  name: string;
  /**
   * Returns one result per request, in the same order. It starts after all its requests have
   * arrived.
   */
  run: (batch: readonly Input[]) => Promise<readonly Result[]>;
  /**
   * The share of `maxBatchCost` that a request uses; 1 by default. A request above it runs alone.
   */
  costOf?: (input: Input) => number;
  maxBatchCost?: number;
  /** Requests of different groups take turns in the batches. By default all are of one group. */
  groupOf?: (input: Input) => string;
  /** `submit` rejects a request while this many of its group wait. */
  maxWaiting?: number;
  /**
   * A request that has waited longer is rejected and does not run. Without it there is no limit.
   */
  maxWaitMs?: number;
  /**
   * Whether one request can have caused the error of a batch and the batch changed nothing. The
   * requests of the batch then run again, one at a time, so that only the cause fails. By default
   * all of them fail.
   */
  isCausedByOneRequest?: (error: unknown) => boolean;
  /**
   * Longest pause between a busy batch and the next one, 0 by default. The clients that got the
   * results of the batch send their next requests meanwhile, so that all clients share batches
   * instead of two halves taking turns. It pays off where a batch costs as much as many requests.
   */
  gatherMs?: number;
  onBatch?: (size: number) => void;
  /** Called when no request runs or waits. */
  onIdle?: () => void;
}

interface QueuedRequest<Input, Result> {
  input: Input;
  queuedAt: number;
  trace: TraceScope | null;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Smaller batches do not gather: at a low load no request waits. */
const gatherFrom = 8;
/**
 * With this number of waiting requests a batch starts: its fixed costs are a small part by then.
 */
const gatherUntil = 64;

/**
 * Processes requests in batches. One batch runs at a time; requests that arrive meanwhile form the
 * next one. A single request runs immediately, and batches grow with the load.
 */
export function createBatchQueue<Input, Result>(
  options: BatchQueueOptions<Input, Result>,
): BatchQueue<Input, Result> {
  const { name, run, groupOf = () => '', maxWaiting = 5000 } = options;
  const { isCausedByOneRequest = () => false, gatherMs = 0 } = options;
  const waiting = createTurnQueue<QueuedRequest<Input, Result>>();
  let isWorking = false;
  let endGathering = () => {};

  async function work(): Promise<void> {
    while (waiting.size() > 0) {
      const batch = takeBatch(waiting, options);
      if (batch.length === 0) continue;
      await runBatch(batch);
      if (gatherMs > 0 && batch.length >= gatherFrom && waiting.size() < gatherUntil)
        await gather();
    }
    isWorking = false;
    options.onIdle?.();
  }

  const gather = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gatherMs);
      endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function runBatch(batch: readonly QueuedRequest<Input, Result>[]): Promise<void> {
    let results: readonly Result[];
    try {
      options.onBatch?.(batch.length);
      results = await traceBatch(
        { name, kind: 'internal', attributes: { 'event_api.batch.size': batch.length } },
        batch.map(({ trace }) => trace),
        () => run(batch.map(({ input }) => input)),
      );
    } catch (error) {
      if (batch.length === 1 || !isCausedByOneRequest(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      for (const request of batch) await runBatch([request]);
      return;
    }
    for (const [index, { resolve, reject }] of batch.entries()) {
      if (index < results.length) resolve(results[index] as Result);
      else reject(new Error('the batch returned no result for a request'));
    }
  }

  return {
    submit: (input) =>
      new Promise((resolve, reject) => {
        const group = groupOf(input);
        if (waiting.sizeOf(group) >= maxWaiting)
          return reject(unavailable(new Error(`too many requests wait in the queue "${name}"`)));
        waiting.add(group, {
          input,
          queuedAt: performance.now(),
          trace: currentTrace(),
          resolve,
          reject,
        });
        if (waiting.size() >= gatherUntil) endGathering();
        if (isWorking) return;
        isWorking = true;
        queueMicrotask(() => void work());
      }),
    waiting: waiting.size,
  };
}

/**
 * Removes the requests of the next batch from the queue, one of each group in turn, and rejects
 * those that have waited too long.
 */
function takeBatch<Input, Result>(
  waiting: TurnQueue<QueuedRequest<Input, Result>>,
  options: BatchQueueOptions<Input, Result>,
): QueuedRequest<Input, Result>[] {
  const { name, costOf = () => 1, maxBatchCost = 256, maxWaitMs = Infinity } = options;
  const batch: QueuedRequest<Input, Result>[] = [];
  const now = performance.now();
  let cost = 0;
  for (;;) {
    const [group] = waiting.groups();
    const request = group === undefined ? undefined : waiting.first(group);
    if (group === undefined || request === undefined) return batch;
    const isLate = now - request.queuedAt > maxWaitMs;
    const added = isLate ? 0 : costOf(request.input);
    if (batch.length > 0 && cost + added > maxBatchCost) return batch;
    waiting.take(group);
    cost += added;
    if (isLate)
      request.reject(unavailable(new Error(`the request waited too long in the queue "${name}"`)));
    else batch.push(request);
  }
}
