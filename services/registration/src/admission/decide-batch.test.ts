import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { history, requests } from '../../test/actions.ts';
import { createModel } from '../../test/model.ts';

const options = { seed: 20_270_510, numRuns: 800 };

describe('any sequence of requests', () => {
  test('keeps all counts correct, oversells nothing and promotes the oldest first', () => {
    fc.assert(
      fc.property(history, (batches) => {
        const model = createModel();
        for (const { before, batch } of batches) {
          model.run(batch, before);
          expect(model.broken()).toEqual([]);
        }
      }),
      options,
    );
  });

  test('has the same result, however it is split into batches', () => {
    fc.assert(
      fc.property(requests, fc.integer({ min: 2, max: 20 }), (all, size) => {
        const [together, alone] = [createModel(), createModel()];
        const results = batchesOf(all, size).flatMap((batch) => together.run(batch));
        expect(all.flatMap((one) => alone.run([one]))).toEqual(results);
        expect(alone.outcome()).toEqual(together.outcome());
      }),
      options,
    );
  });
});

const batchesOf = <One>(all: readonly One[], size: number): One[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) =>
    all.slice(n * size, (n + 1) * size),
  );
