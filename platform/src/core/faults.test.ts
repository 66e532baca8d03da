import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { noFaults, parseFaults, testFaults } from './faults.ts';

describe('faults of a process', () => {
  test.each(['production', 'development', ''])('are rejected with NODE_ENV=%j', (nodeEnv) => {
    expect(() => parseFaults('off:guard', nodeEnv)).toThrow('NODE_ENV=test');
  });

  test.each([undefined, ''])('do nothing for %j', (setting) => {
    expect(parseFaults(setting, 'production')).toBe(noFaults);
  });

  test('disable only the named guards', () => {
    const faults = parseFaults('off:one,off:two', 'test');
    expect(['one', 'two', 'three'].map(faults.isDisabled)).toEqual([true, true, false]);
  });

  test('kill the process only at the named point', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    try {
      const faults = parseFaults('kill:order.placed', 'test');
      await faults.hit('order.decided');
      expect(kill).not.toHaveBeenCalled();
      await faults.hit('order.placed');
      expect(kill).toHaveBeenCalledExactlyOnceWith(process.pid, 'SIGKILL');
    } finally {
      kill.mockRestore();
    }
  });

  test('pause only at the named point', async () => {
    const faults = parseFaults('pause:order.decided', 'test');
    expect(faults.hit('order.placed')).toBeUndefined();
    const paused = faults.hit('order.decided');
    expect(paused).toBeInstanceOf(Promise);
    await paused;
  });

  test('throw only at the named point', () => {
    const faults = parseFaults('fail:order.placed', 'test');
    expect(faults.hit('order.decided')).toBeUndefined();
    expect(() => faults.hit('order.placed')).toThrow('fault at order.placed');
  });

  test('follow changes of their file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'faults-'));
    const path = join(folder, 'list');
    try {
      expect(() => parseFaults(`file:${path}`, 'test')).toThrow('ENOENT');
      writeFileSync(path, '');
      const faults = parseFaults(`file:${path}`, 'test');
      expect(faults.isDisabled('one')).toBe(false);
      writeFileSync(path, 'off:one');
      expect(faults.isDisabled('one')).toBe(true);
      writeFileSync(path, '');
      expect(faults.isDisabled('one')).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each(['kill', 'pause:', 'kill:', 'fail:', 'off:', 'wait:there', 'off:one,,'])(
    'are refused as %j',
    (setting) => {
      expect(() => parseFaults(setting, 'test')).toThrow('unknown entry');
    },
  );
});

describe('faults in the process of a test', () => {
  test('do nothing until a test sets them', async () => {
    const faults = testFaults();
    await faults.hit('anywhere');
    expect(faults.isDisabled('any')).toBe(false);
  });

  test('delay the code at their point', async () => {
    const faults = testFaults();
    const { promise, resolve } = Promise.withResolvers<void>();
    faults.at('here', () => promise);
    const passed = vi.fn();
    const walker = Promise.resolve(faults.hit('here')).then(passed);
    await faults.hit('elsewhere');
    expect(passed).not.toHaveBeenCalled();
    resolve();
    await walker;
    expect(passed).toHaveBeenCalledOnce();
  });
});
