import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { faultsFrom, noFaults, scriptedFaults } from './faults.ts';

describe('faults of a process', () => {
  it.each(['production', 'development', ''])('are refused with NODE_ENV=%j', (nodeEnv) => {
    expect(() => faultsFrom('off:guard', nodeEnv)).toThrow('NODE_ENV=test');
  });

  it.each([undefined, ''])('are inert when %j is set', (setting) => {
    expect(faultsFrom(setting, 'production')).toBe(noFaults);
  });

  it('turn off the guards that are named, and no others', () => {
    const faults = faultsFrom('off:one,off:two', 'test');
    expect(['one', 'two', 'three'].map(faults.guardIsOff)).toEqual([true, true, false]);
  });

  it('kill the process at the point that is named, and not before', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    try {
      const faults = faultsFrom('kill:order.placed', 'test');
      await faults.reach('order.judged');
      expect(kill).not.toHaveBeenCalled();
      await faults.reach('order.placed');
      expect(kill).toHaveBeenCalledExactlyOnceWith(process.pid, 'SIGKILL');
    } finally {
      kill.mockRestore();
    }
  });

  it('pause at the point that is named, and not before', async () => {
    const faults = faultsFrom('pause:order.judged', 'test');
    expect(faults.reach('order.placed')).toBeUndefined();
    const paused = faults.reach('order.judged');
    expect(paused).toBeInstanceOf(Promise);
    await paused;
  });

  it('follow the file that they are read from', () => {
    const folder = mkdtempSync(join(tmpdir(), 'faults-'));
    const path = join(folder, 'list');
    try {
      expect(() => faultsFrom(`file:${path}`, 'test')).toThrow('ENOENT');
      writeFileSync(path, '');
      const faults = faultsFrom(`file:${path}`, 'test');
      expect(faults.guardIsOff('one')).toBe(false);
      writeFileSync(path, 'off:one');
      expect(faults.guardIsOff('one')).toBe(true);
      writeFileSync(path, '');
      expect(faults.guardIsOff('one')).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each(['kill', 'pause:', 'kill:', 'off:', 'wait:there', 'off:one,,'])(
    'are refused as %j',
    (setting) => {
      expect(() => faultsFrom(setting, 'test')).toThrow('unknown entry');
    },
  );
});

describe('faults that a test steers', () => {
  it('do nothing until they are told to', async () => {
    const faults = scriptedFaults();
    await faults.reach('anywhere');
    expect(faults.guardIsOff('any')).toBe(false);
  });

  it('hold up whoever reaches their point', async () => {
    const faults = scriptedFaults();
    const { promise, resolve } = Promise.withResolvers<void>();
    faults.at('here', () => promise);
    const passed = vi.fn();
    const walker = Promise.resolve(faults.reach('here')).then(passed);
    await faults.reach('elsewhere');
    expect(passed).not.toHaveBeenCalled();
    resolve();
    await walker;
    expect(passed).toHaveBeenCalledOnce();
  });
});
