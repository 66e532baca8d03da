import { expect, test } from 'vitest';
import { type BatchQueueOptions, createBatchQueue } from './batch-queue.ts';

/** A queue whose batches the test completes. */
function steered(options: Partial<BatchQueueOptions<number, string>> = {}) {
  const batches: { inputs: readonly number[]; end: (error?: Error) => void }[] = [];
  const queue = createBatchQueue<number, string>({
    ...options,
    name: 'numbers',
    run: (inputs) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(inputs.map(String)));
        batches.push({ inputs, end });
      }),
  });
  return { batches, submit: queue.submit };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a single request runs immediately, and the next batch takes all requests that arrived meanwhile', async () => {
  const { batches, submit } = steered();
  const first = submit(1);
  await turn();
  const others = [submit(2), submit(3)];
  await turn();
  expect(batches.map(({ inputs }) => inputs)).toEqual([[1]]);
  batches[0]?.end();
  expect(await first).toBe('1');
  await turn();
  expect(batches.map(({ inputs }) => inputs)).toEqual([[1], [2, 3]]);
  batches[1]?.end();
  expect(await Promise.all(others)).toEqual(['2', '3']);
});

test('a failed batch rejects its own requests, and waiting requests run', async () => {
  const { batches, submit } = steered();
  const first = submit(1);
  await turn();
  const second = submit(2);
  batches[0]?.end(new Error('cut off'));
  await expect(first).rejects.toThrow('cut off');
  await turn();
  batches[1]?.end();
  expect(await second).toBe('2');
});

test('a batch has at most 256 requests, and a request is rejected when 5,000 wait', async () => {
  const { batches, submit } = steered();
  const all = Array.from({ length: 5000 }, (_, number) => submit(number));
  await expect(submit(5000)).rejects.toMatchObject({ code: 503 });
  for (let number = 0; number < 20; number++) {
    await turn();
    expect(batches[number]?.inputs.length).toBe(number < 19 ? 256 : 136);
    batches[number]?.end();
  }
  expect(await Promise.all(all)).toEqual(Array.from({ length: 5000 }, (_, n) => String(n)));
});

test('requests of different groups take turns, and only those of a full group are rejected', async () => {
  const { batches, submit } = steered({
    groupOf: (input) => (input < 100 ? 'small' : 'large'),
    maxBatchCost: 3,
    maxWaiting: 4,
  });
  const all = [1, 2, 3, 4].map(submit);
  const excess = submit(5);
  all.push(...[100, 101].map(submit));
  await expect(excess).rejects.toMatchObject({ code: 503 });
  for (const inputs of [
    [1, 100, 2],
    [101, 3, 4],
  ]) {
    await turn();
    expect(batches.at(-1)?.inputs).toEqual(inputs);
    batches.at(-1)?.end();
  }
  await Promise.all(all);
});

test('a batch ends before the request that would exceed its cost, and a request above the limit runs alone', async () => {
  const { batches, submit } = steered({ costOf: (input) => input, maxBatchCost: 10 });
  const all = [4, 6, 1, 30, 2].map(submit);
  for (const inputs of [[4, 6], [1], [30], [2]]) {
    await turn();
    expect(batches.at(-1)?.inputs).toEqual(inputs);
    batches.at(-1)?.end();
  }
  expect(await Promise.all(all)).toEqual(['4', '6', '1', '30', '2']);
});

test('a request that has waited too long is rejected and does not run', async () => {
  const { batches, submit } = steered({ maxWaitMs: -1 });
  await expect(submit(1)).rejects.toMatchObject({ code: 503 });
  expect(batches).toEqual([]);
});

test('the requests of a failed batch run alone when one of them can be the cause', async () => {
  const runs: (readonly number[])[] = [];
  const { submit } = createBatchQueue<number, number>({
    name: 'numbers',
    isCausedByOneRequest: (error) => (error as Error).message === 'odd',
    run: async (inputs) => {
      runs.push(inputs);
      if (inputs.includes(1)) throw new Error('odd');
      if (inputs.includes(8)) throw new Error('database unavailable');
      return inputs;
    },
  });
  const outcomes = await Promise.allSettled([2, 1, 4].map(submit));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(runs).toEqual([[2, 1, 4], [2], [1], [4]]);
  await Promise.allSettled([8, 10].map(submit));
  expect(runs.slice(4)).toEqual([[8, 10]]);
});

test('a batch without a result for a request rejects that request and does not run again', async () => {
  let runs = 0;
  const { submit } = createBatchQueue<number, number>({
    name: 'numbers',
    isCausedByOneRequest: () => true,
    run: async (inputs) => {
      runs += 1;
      return inputs.slice(1);
    },
  });
  const [first, second] = await Promise.allSettled([1, 2].map(submit));
  expect(first).toMatchObject({ status: 'fulfilled' });
  expect(second).toMatchObject({ status: 'rejected' });
  expect(runs).toBe(1);
});

test('reports that it is idle after the last waiting request', async () => {
  let idle = 0;
  const { batches, submit } = steered({ onIdle: () => (idle += 1) });
  const first = submit(1);
  await turn();
  const second = submit(2);
  batches[0]?.end();
  await first;
  await turn();
  expect(idle).toBe(0);
  batches[1]?.end();
  await second;
  await turn();
  expect(idle).toBe(1);
});

test('the batch after a busy one takes the requests of the time to gather', async () => {
  const { batches, submit } = steered({ gatherMs: 100 });
  const all = Array.from({ length: 8 }, (_, number) => submit(number));
  await turn();
  batches[0]?.end();
  await turn();
  all.push(submit(8), submit(9));
  await turn();
  expect(batches.length).toBe(1);
  await expect.poll(() => batches[1]?.inputs).toEqual([8, 9]);
  all.push(submit(10));
  batches[1]?.end();
  await turn();
  // The batch was small, so the next one starts immediately.
  expect(batches[2]?.inputs).toEqual([10]);
  batches[2]?.end();
  await Promise.all(all);
});

test('64 waiting requests end the time to gather', async () => {
  const { batches, submit } = steered({ gatherMs: 600_000 });
  const all = Array.from({ length: 8 }, (_, number) => submit(number));
  await turn();
  batches[0]?.end();
  await turn();
  for (let number = 8; number < 71; number++) all.push(submit(number));
  await turn();
  expect(batches.length).toBe(1);
  all.push(submit(71));
  await turn();
  expect(batches[1]?.inputs.length).toBe(64);
  batches[1]?.end();
  for (let number = 72; number < 136; number++) all.push(submit(number));
  await turn();
  expect(batches[2]?.inputs.length).toBe(64);
  batches[2]?.end();
  await expect(Promise.all(all)).resolves.toHaveLength(136);
});
