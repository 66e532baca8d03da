import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { history, requests } from '../../test/actions.ts';
import { createModel, type Hide } from '../../test/model.ts';
import type { AdmissionState } from '../seats/seats.rules.ts';

const options = { seed: 20_270_510, numRuns: 800 };

const keepsAll = (hide?: Hide) =>
  fc.property(history, (batches) => {
    const model = createModel(hide);
    for (const { before, batch } of batches) {
      model.run(batch, before);
      const broken = model.broken();
      if (broken.length > 0) throw new Error(broken.join('; '));
    }
  });

/** Replaces fields of these items until the checks. */
const hiding =
  <Item extends object>(
    itemsOf: (state: AdmissionState) => readonly Item[],
    hidden: Partial<Item>,
  ): Hide =>
  (state) => {
    const items = itemsOf(state).map((item) => ({ item, known: { ...item } }));
    for (const { item } of items) Object.assign(item, hidden);
    return () => {
      for (const { item, known } of items) {
        for (const key of Object.keys(hidden))
          Object.assign(item, { [key]: known[key as keyof Item] });
      }
    };
  };

const typesIn = ({ types }: AdmissionState) => [...types.values()];
const addonsIn = ({ addons }: AdmissionState) => [...addons.values()];
const groupsIn = (state: AdmissionState) => [
  ...new Set(typesIn(state).flatMap(({ group }) => group ?? [])),
];

describe('any sequence of requests', () => {
  test('keeps all counts correct, oversells nothing and promotes the oldest first', () => {
    fc.assert(keepsAll(), options);
  });

  test.each<[what: string, hide: Hide, message: string]>([
    ['capacities of types', hiding(typesIn, { capacity: null }), 'oversold'],
    ['capacities of groups', hiding(groupsIn, { capacity: Infinity }), 'oversold'],
    ['capacities of add-ons', hiding(addonsIn, { capacity: null }), 'lunch: oversold'],
    ['minimums of types', hiding(typesIn, { minPerOrder: null }), '1 of late in one order'],
    ['maximums of types', hiding(typesIn, { maxPerOrder: null }), '2 of night in one order'],
    ['minimums of add-ons', hiding(addonsIn, { minPerOrder: null }), '1 of lunch in one order'],
    ['maximums of add-ons', hiding(addonsIn, { maxPerOrder: null }), '4 of lunch in one order'],
  ])('is found to break them without %s', (_, hide, message) => {
    const { failed, errorInstance } = fc.check(keepsAll(hide), { ...options, endOnFailure: true });
    expect({ failed, error: String(errorInstance) }).toEqual({
      failed: true,
      error: expect.stringContaining(message),
    });
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
