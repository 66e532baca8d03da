import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { DataDirInUseError, lockDataDir } from './data-dir-lock.ts';

const parent = mkdtempSync(join(tmpdir(), 'lock-'));
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(parent, 'data-'));
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

test('a folder that is locked by a living process is refused, with its id, until it is given back', () => {
  const unlock = lockDataDir(dataDir);
  expect(() => lockDataDir(dataDir)).toThrow(DataDirInUseError);
  expect(() => lockDataDir(dataDir)).toThrow(`process ${process.pid}`);
  unlock();
  lockDataDir(dataDir)();
  expect(readdirSync(dataDir)).toEqual([]);
});

test('the lock of a dead process is taken over', () => {
  const { pid } = spawnSync('true');
  writeFileSync(join(dataDir, 'lock'), `${pid} 1`);
  lockDataDir(dataDir)();
});

test.skipIf(!existsSync('/proc/self/stat'))(
  'the lock of a dead process whose id another one has now is taken over',
  () => {
    writeFileSync(join(dataDir, 'lock'), `${process.pid} 1`);
    lockDataDir(dataDir)();
  },
);
