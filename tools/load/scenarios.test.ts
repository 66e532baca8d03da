import { describe, expect, test } from 'vitest';
import { scenarioNames, scenarioOf } from './scenarios.ts';

describe('a scenario', () => {
  test.each(scenarioNames)('%s fits its own figures', (name) => {
    expect(scenarioOf(name).outcome).toBe('fits');
  });

  test('has the given figures; an omitted one keeps its value', () => {
    expect(scenarioOf('browse', { rate: 7, seconds: undefined })).toMatchObject({
      outcome: 'fits',
      scenario: { rate: 7, seconds: 30 },
    });
  });

  test.each([
    ['more scans than pairs of badge and scanner', 'checkin-surge', { seconds: 600 }, 'seconds'],
    [
      'a duration in which a seat that is left finds no buyer',
      'on-sale',
      { seconds: 10 },
      'seconds',
    ],
    ['a full hesitation in a short run', 'on-sale', { hesitation: 1 }, 'seconds'],
    ['more seats than buyers', 'on-sale', { seats: 5000 }, 'seconds'],
  ] as const)('does not fit %s', (_what, name, overrides, field) => {
    expect(scenarioOf(name, overrides)).toMatchObject({ outcome: 'misfit', field });
  });

  test('fits a full hesitation in a long run', () => {
    expect(scenarioOf('on-sale', { hesitation: 1, seconds: 600 }).outcome).toBe('fits');
  });
});
