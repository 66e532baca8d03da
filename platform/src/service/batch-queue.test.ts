import { expect, test } from 'vitest';
import { createBatchQueue } from './batch-queue.ts';

/** Batches that a test completes. */
function steered() {
  const batches: { inputs: readonly number[]; end: (error?: Error) => void }[] = [];
  const batcher = createBatchQueue<number, string>({
    name: 'numbers',
    run: (inputs) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(inputs.map(String)));
        batches.push({ inputs, end });
      }),
  });
  return { batches, submit: batcher.submit };
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
