import { unavailable } from './errors.ts';
import { shareWork } from './telemetry/shared-work.ts';
import { currentTrace, type TraceScope } from './telemetry/trace-scope.ts';

export interface Batcher<Asked, Answer> {
  /** Answers with whatever else is waiting. Errors: 503 when too many wait, and the batch's own. */
  ask(asked: Asked): Promise<Answer>;
  /** How many wait for a batch of theirs. */
  waiting(): number;
}

interface Waiting<Asked, Answer> {
  asked: Asked;
  trace: TraceScope | null;
  resolve: (answer: Answer) => void;
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
export function createBatcher<Asked, Answer>(options: {
  name: string;
  run: (batch: readonly Asked[]) => Promise<readonly Answer[]>;
  onBatch?: (size: number) => void;
}): Batcher<Asked, Answer> {
  const { name, run, onBatch } = options;
  let waiting: Waiting<Asked, Answer>[] = [];
  let isWorking = false;

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      onBatch?.(batch.length);
      await shareWork(
        { name, kind: 'internal', attributes: { 'event_api.batch.size': batch.length } },
        batch.map(({ trace }) => trace),
        () => answer(batch),
      );
    }
    isWorking = false;
  }

  async function answer(batch: readonly Waiting<Asked, Answer>[]): Promise<void> {
    try {
      const answers = await run(batch.map(({ asked }) => asked));
      if (answers.length !== batch.length) throw new Error('a batch left somebody unanswered');
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    ask: (asked) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= maxWaiting) return reject(unavailable(new Error('too many wait')));
        waiting.push({ asked, trace: currentTrace(), resolve, reject });
        if (isWorking) return;
        isWorking = true;
        queueMicrotask(() => void work());
      }),
    waiting: () => waiting.length,
  };
}
