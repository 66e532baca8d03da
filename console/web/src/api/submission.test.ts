import { expect, test } from 'vitest';
import { createSubmission } from './submission.ts';

/** Sends writes, of which those in `failing` fail, and records them. */
function recorder() {
  const sent: string[] = [];
  const failing = new Set<string>();
  const submit = createSubmission<string>(async <T>(write: string) => {
    sent.push(write);
    if (failing.has(write)) throw new Error(`failed: ${write}`);
    return `result of ${write}` as T;
  });
  const run = (...writes: string[]) =>
    submit(async (once) => {
      const results: string[] = [];
      for (const write of writes) results.push(await once(write));
      return results;
    });
  return { sent, failing, run };
}

test('a retry does not repeat the writes that have succeeded', async () => {
  const { sent, failing, run } = recorder();
  failing.add('open');
  await expect(run('create', 'open')).rejects.toThrow('failed: open');
  failing.clear();
  expect(await run('create', 'open')).toEqual(['result of create', 'result of open']);
  expect(sent).toEqual(['create', 'open', 'open']);
});

test('a retry with another first write sends everything', async () => {
  const { sent, failing, run } = recorder();
  failing.add('items');
  await expect(run('name B', 'items')).rejects.toThrow();
  await expect(run('name C', 'items')).rejects.toThrow();
  failing.clear();
  await run('name B', 'items');
  expect(sent).toEqual(['name B', 'items', 'name C', 'items', 'name B', 'items']);
});

test('the next submission sends the same writes again', async () => {
  const { sent, run } = recorder();
  await run('create');
  await run('create');
  expect(sent).toEqual(['create', 'create']);
});
