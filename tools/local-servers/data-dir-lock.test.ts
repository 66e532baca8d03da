import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { DataDirInUseError, lockDataDir } from './data-dir-lock.ts';

const parent = mkdtempSync(join(tmpdir(), 'lock-'));
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(parent, 'data-'));
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

describe('lockDataDir', () => {
  test('rejects a folder that a running process has locked, and names its id, until it is unlocked', () => {
    const unlock = lockDataDir(dataDir);
    expect(() => lockDataDir(dataDir)).toThrow(DataDirInUseError);
    expect(() => lockDataDir(dataDir)).toThrow(`process ${process.pid}`);
    unlock();
    lockDataDir(dataDir)();
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('replaces the lock of a process that has ended', () => {
    const { pid } = spawnSync('true');
    writeFileSync(join(dataDir, 'lock'), `${pid} 1`);
    lockDataDir(dataDir)();
  });

  test.skipIf(!existsSync('/proc/self/stat'))(
    'replaces the lock of an ended process whose id another process has now',
    () => {
      writeFileSync(join(dataDir, 'lock'), `${process.pid} 1`);
      lockDataDir(dataDir)();
    },
  );
});
