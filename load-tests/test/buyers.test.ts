import { describe, expect, test } from 'vitest';
import { hesitationSeconds, leaves } from '../scenarios/lib/buyers.ts';

const turns = Array.from({ length: 1000 }, (_, turn) => turn);

describe('buyers', () => {
  test('hesitate between 5 and 120 seconds, evenly spread', () => {
    const seconds = turns.map((turn) => hesitationSeconds(turn, 1));
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(5);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(120);
    // Each tenth of the range has its tenth of the buyers.
    const tenths = Map.groupBy(seconds, (each) => Math.floor((each - 5) / 11.5));
    for (const [tenth, found] of tenths) {
      expect(found.length, `tenth ${tenth}`).toBeGreaterThan(90);
      expect(found.length, `tenth ${tenth}`).toBeLessThan(110);
    }
    expect(tenths.size).toBe(10);
  });

  test('hesitate shorter by the factor', () => {
    for (const turn of turns.slice(0, 10))
      expect(hesitationSeconds(turn, 0.02)).toBeCloseTo(hesitationSeconds(turn, 1) / 50, 10);
    expect(hesitationSeconds(3, 0)).toBe(0);
  });

  test('leave in one of five cases, after short and long hesitation alike', () => {
    const left = turns.filter(leaves);
    expect(left).toHaveLength(200);
    const average = left.reduce((sum, turn) => sum + hesitationSeconds(turn, 1), 0) / left.length;
    expect(average).toBeGreaterThan(57.5);
    expect(average).toBeLessThan(67.5);
  });
});
