import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reachStep as publish } from '../../src/core/steps.ts';
import { instrument } from './instrument.ts';
import { mutations } from './mutations.ts';
import { atStep, disableGuard, isOff, parseSwitches, reach, resetSwitches } from './switches.ts';

const root = join(import.meta.dirname, '../../..');
const sources = globSync('{platform,gateway,services/*,console/server,tools}/src/**/*.ts', {
  cwd: root,
}).filter((file) => !file.endsWith('.test.ts'));

describe('instrument', () => {
  test.each(mutations)('finds the guard in $file: $find', ({ file, replace }) => {
    const path = join(root, file);
    expect(instrument(readFileSync(path, 'utf8'), path)).toContain(replace);
  });

  test('fails when a guard has changed', () => {
    const path = join(root, mutations[0]?.file ?? '');
    expect(() => instrument('export {};', path)).toThrow('must contain exactly once');
  });

  test('awaits every step of the sources', () => {
    const steps = sources.flatMap((file) => {
      const path = join(root, file);
      const code = readFileSync(path, 'utf8');
      const found = code.match(/(?<!function )reachStep\(/g) ?? [];
      const awaited = instrument(code, path)?.match(/await testSwitches\.reach\(/g) ?? [];
      expect(awaited.length, file).toBe(found.length);
      return found;
    });
    expect(steps.length).toBeGreaterThan(30);
  });

  test('leaves a module without steps and guards as it is', () => {
    expect(instrument('export const one = 1;', join(root, 'platform/src/one.ts'))).toBeNull();
  });
});

describe('switches', () => {
  test('run the action of a step until they are reset', async () => {
    const reached: string[] = [];
    atStep('one', () => void reached.push('one'));
    await reach('one');
    await reach('two');
    resetSwitches();
    await reach('one');
    expect(reached).toEqual(['one']);
  });

  test('disable a guard until they are reset', () => {
    disableGuard('order.lock');
    expect([isOff('order.lock'), isOff('idempotency')]).toEqual([true, false]);
    resetSwitches();
    expect(isOff('order.lock')).toBe(false);
  });

  test('of a process are a list', async () => {
    const { actions, disabled } = parseSwitches('pause:one,fail:two,off:three');
    await actions.get('one')?.();
    expect(actions.get('two')).toThrow('failed at two');
    expect([...disabled]).toEqual(['three']);
  });

  test.each(['kill', 'kill:', 'stop:one'])('reject the entry %s', (entry) => {
    expect(() => parseSwitches(entry)).toThrow(entry);
  });
});

test('a published step names its point', () => {
  const published: unknown[] = [];
  const listener = (message: unknown) => void published.push(message);
  publish('unheard');
  subscribe('event-api.step', listener);
  publish('order.decided');
  unsubscribe('event-api.step', listener);
  expect(published).toEqual([{ step: 'order.decided' }]);
});
