import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../settings/settings.ts';
import { type BreakingChange, breakingChanges, describeChange } from './breaking-changes.ts';
import type { Contract } from './contract.ts';

/** The previous release: the commit of its sources, and its contract. */
export interface Baseline extends Contract {
  revision: string;
}

/** What `releases/exceptions.json` allows until the next release, each with its reason. */
export interface Exceptions {
  /** `<field> of <operation or snapshot>`: its readers accept unknown values. */
  tolerantReaders: { field: string; reason: string }[];
  /** Lines of `describeChange`. */
  accepted: { change: string; reason: string }[];
}

const baselineFile = join(root, 'releases/baseline.json');
const exceptionsFile = join(root, 'releases/exceptions.json');

export const readBaseline = (): Baseline => JSON.parse(readFileSync(baselineFile, 'utf8'));
export const readExceptions = (): Exceptions => JSON.parse(readFileSync(exceptionsFile, 'utf8'));

/** The result of a check: changes that break something, and accepted ones that do not exist. */
export interface Compatibility {
  breaking: string[];
  /** They were accepted for an earlier release, or the change is not the one that was accepted. */
  unusedExceptions: string[];
}

/** Compares a release with the previous one. */
export function compatibilityOf(
  baseline: Contract,
  current: Contract,
  { tolerantReaders, accepted }: Exceptions,
): Compatibility {
  const tolerant = new Set(tolerantReaders.map(({ field }) => field));
  const changes = breakingChanges(baseline, current, tolerant).map((change: BreakingChange) =>
    describeChange(change),
  );
  const acceptedChanges = accepted.map(({ change }) => change);
  return {
    breaking: changes.filter((change) => !acceptedChanges.includes(change)),
    unusedExceptions: acceptedChanges.filter((change) => !changes.includes(change)),
  };
}

/**
 * Records the sources of the current commit as the previous release, and ends the accepted changes.
 * Returns the commit.
 * Errors: files that are not committed, because the commit would not contain what is recorded.
 */
export function recordBaseline(contract: Contract): string {
  const uncommitted = git('status', '--porcelain');
  if (uncommitted !== '') throw new Error(`commit these files first:\n${uncommitted}`);
  const revision = git('rev-parse', 'HEAD');
  writeFileSync(baselineFile, serializeBaseline({ revision, ...contract }));
  const { tolerantReaders } = readExceptions();
  writeFileSync(exceptionsFile, `${JSON.stringify({ tolerantReaders, accepted: [] }, null, 2)}\n`);
  return revision;
}

/** One line for each operation, snapshot and process, so that a difference shows what changed. */
export function serializeBaseline({ revision, ...contract }: Baseline): string {
  const sections = Object.entries(contract).map(([name, entries]) => {
    const lines = Object.entries(entries).map(
      ([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
    );
    return `  ${JSON.stringify(name)}: {\n${lines.join(',\n')}\n  }`;
  });
  return `{\n  "revision": ${JSON.stringify(revision)},\n${sections.join(',\n')}\n}\n`;
}

/** The output of git without the last line break. Errors: git's. */
function git(...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
  return stdout.trimEnd();
}
