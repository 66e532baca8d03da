import { describe, expect, test } from 'vitest';
import { archiveSettings, restoreCommand } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { planFor } from './copy-data.ts';
import type { BackupManifest } from './manifest.ts';
import { chooseBackup, recoverySettings } from './restore.ts';
import { reasonAgainst, type ServerFacts } from './take.ts';

const usable: ServerFacts = {
  archiveMode: 'on',
  inRecovery: false,
  locked: true,
  systemIdentifiers: ['7', '7'],
};

test.each([
  { facts: {}, reason: undefined },
  { facts: { archiveMode: 'off' }, reason: /archive_mode is off/ },
  { facts: { inRecovery: true }, reason: /standby/ },
  { facts: { locked: false }, reason: /another backup/ },
  { facts: { systemIdentifiers: ['7', '8'] as const }, reason: /another server/ },
])('a backup begins only if the server can be restored from it: $facts', ({ facts, reason }) => {
  const found = reasonAgainst({ ...usable, ...facts });
  if (reason) expect(found).toMatch(reason);
  else expect(found).toBeUndefined();
});

describe('the backup of a restore', () => {
  const backup = (name: string, finishedAt: string) => ({ name, finishedAt }) as BackupManifest;
  const all = [backup('one', '2026-11-20T02:00:00Z'), backup('two', '2026-11-21T02:00:00Z')];
  const at = (time: string) => ({ kind: 'time' as const, time: new Date(time) });

  test.each([
    { target: { kind: 'end' as const }, name: undefined, chosen: 'two' },
    { target: { kind: 'end' as const }, name: 'one', chosen: 'one' },
    { target: at('2026-11-21T01:00:00Z'), name: undefined, chosen: 'one' },
    { target: at('2026-11-21T02:00:00Z'), name: undefined, chosen: 'two' },
  ])('is the newest one before the time: $target $name', ({ target, name, chosen }) => {
    expect(chooseBackup(all, target, name).name).toBe(chosen);
  });

  test.each([
    { complete: [], target: { kind: 'end' as const }, name: undefined, message: /no complete/ },
    { complete: all, target: { kind: 'end' as const }, name: 'six', message: /no complete .*six/ },
    { complete: all, target: at('2026-11-19T00:00:00Z'), name: undefined, message: /oldest/ },
    { complete: all, target: at('2026-11-20T03:00:00Z'), name: 'two', message: /finished after/ },
  ])('must exist: $message', ({ complete, target, name, message }) => {
    expect(() => chooseBackup(complete, target, name)).toThrow(message);
    expect(() => chooseBackup(complete, target, name)).toThrow(BackupError);
  });
});

test('a restore overrides the settings of an earlier restore', () => {
  const time = new Date('2026-11-22T10:00:00Z');
  const options = { restoreCommand: 'copy' };
  const settings = [
    recoverySettings({ kind: 'time', time }, { ...options, timeline: 2 }),
    recoverySettings({ kind: 'standby', connection: 'host=primary' }, options),
    recoverySettings({ kind: 'end' }, options),
  ];
  expect(new Set(settings.map((each) => Object.keys(each).join())).size).toBe(1);
  expect(settings).toMatchObject([
    { recovery_target_time: '2026-11-22T10:00:00.000+00', recovery_target_timeline: '2' },
    { recovery_target_time: '', primary_conninfo: 'host=primary' },
    { recovery_target_time: '', primary_conninfo: '', recovery_target_timeline: 'latest' },
  ]);
});

test.each([
  { path: 'base/5/1259', kind: 'file', plan: 'copy' },
  { path: 'base/5', kind: 'folder', plan: 'copy_folder' },
  { path: 'pg_wal', kind: 'folder', plan: 'create_folder' },
  { path: 'pg_wal', kind: 'link', plan: 'create_folder' },
  { path: 'postmaster.pid', kind: 'file', plan: 'skip' },
  { path: 'standby.signal', kind: 'file', plan: 'skip' },
  { path: 'base/5/pgsql_tmp1.0', kind: 'file', plan: 'skip' },
  { path: 'global/pg_control', kind: 'file', plan: 'skip' },
])('$path, a $kind: $plan', ({ path, kind, plan }) => {
  const entry = {
    name: path.split('/').at(-1) ?? '',
    isDirectory: () => kind === 'folder',
    isSymbolicLink: () => kind === 'link',
  };
  expect(planFor(path, entry)).toBe(plan);
});

test('a tablespace is an error', () => {
  const link = { name: '16400', isDirectory: () => false, isSymbolicLink: () => true };
  expect(() => planFor('pg_tblspc/16400', link)).toThrow(BackupError);
});

test.each(['/backups/"; rm', "/it's", '/100%'])('the path %s is an error', (path) => {
  expect(() => archiveSettings(path)).toThrow(BackupError);
  expect(() => restoreCommand(path)).toThrow(BackupError);
});
