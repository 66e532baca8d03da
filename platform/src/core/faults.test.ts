import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { noFaults, parseFaults, testFaults } from './faults.ts';

describe('faults of a process', () => {
  it.each(['production', 'development', ''])('are refused with NODE_ENV=%j', (nodeEnv) => {
    expect(() => parseFaults('off:guard', nodeEnv)).toThrow('NODE_ENV=test');
  });

  it.each([undefined, ''])('are inert when %j is set', (setting) => {
    expect(parseFaults(setting, 'production')).toBe(noFaults);
  });

  it('turn off the guards that are named, and no others', () => {
    const faults = parseFaults('off:one,off:two', 'test');
    expect(['one', 'two', 'three'].map(faults.isDisabled)).toEqual([true, true, false]);
  });

  it('kill the process at the point that is named, and not before', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    try {
      const faults = parseFaults('kill:order.placed', 'test');
      await faults.hit('order.judged');
      expect(kill).not.toHaveBeenCalled();
      await faults.hit('order.placed');
      expect(kill).toHaveBeenCalledExactlyOnceWith(process.pid, 'SIGKILL');
    } finally {
      kill.mockRestore();
    }
  });

  it('pause at the point that is named, and not before', async () => {
    const faults = parseFaults('pause:order.judged', 'test');
    expect(faults.hit('order.placed')).toBeUndefined();
    const paused = faults.hit('order.judged');
    expect(paused).toBeInstanceOf(Promise);
    await paused;
  });

  it('follow the file that they are read from', () => {
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

  it.each(['kill', 'pause:', 'kill:', 'off:', 'wait:there', 'off:one,,'])(
    'are refused as %j',
    (setting) => {
      expect(() => parseFaults(setting, 'test')).toThrow('unknown entry');
    },
  );
});

describe('faults that a test steers', () => {
  it('do nothing until they are told to', async () => {
    const faults = testFaults();
    await faults.hit('anywhere');
    expect(faults.isDisabled('any')).toBe(false);
  });

  it('hold up whoever reaches their point', async () => {
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
