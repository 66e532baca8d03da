import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessName } from '@event-api/contracts/topology';
import { root } from '../settings/settings.ts';
import { type BreakingChange, breakingChanges, describeChange } from './breaking-changes.ts';
import { type Contract, contractOf } from './contract.ts';

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
const processesFile = join(root, 'releases/processes.json');
const exceptionsFile = join(root, 'releases/exceptions.json');

export const readBaseline = (): Baseline => JSON.parse(readFileSync(baselineFile, 'utf8'));
/**
 * What processes have released alone since the previous release, each with its commit and its part
 * of the contract.
 */
export type OwnReleases = Partial<Record<ProcessName, Baseline>>;

export const readOwnReleases = (): OwnReleases => JSON.parse(readFileSync(processesFile, 'utf8'));
export const readExceptions = (): Exceptions => JSON.parse(readFileSync(exceptionsFile, 'utf8'));

/** The result of a check: changes that break something, and accepted ones that do not exist. */
export interface Compatibility {
  breaking: string[];
  /** They were accepted for an earlier release, or the change is not the one that was accepted. */
  unusedExceptions: string[];
}

/**
 * Compares a release with everything that may run beside it: the previous one, and what processes
 * have released alone since.
 */
export function compatibilityOf(
  released: readonly Contract[],
  current: Contract,
  { tolerantReaders, accepted }: Exceptions,
): Compatibility {
  const tolerant = new Set(tolerantReaders.map(({ field }) => field));
  const found = released.flatMap((each) => breakingChanges(each, current, tolerant));
  const changes = [...new Set(found.map((change: BreakingChange) => describeChange(change)))];
  const acceptedChanges = accepted.map(({ change }) => change);
  return {
    breaking: changes.filter((change) => !acceptedChanges.includes(change)),
    unusedExceptions: acceptedChanges.filter((change) => !changes.includes(change)),
  };
}

/**
 * Records the sources of the current commit as the previous release, and ends the accepted changes
 * and the releases of single processes. Returns the commit.
 * Errors: files that are not committed, because the commit would not contain what is recorded.
 */
export function recordBaseline(contract: Contract): string {
  const revision = committedRevision();
  writeFileSync(baselineFile, serializeBaseline({ revision, ...contract }));
  writeOwnReleases({});
  const { tolerantReaders } = readExceptions();
  writeFileSync(exceptionsFile, `${JSON.stringify({ tolerantReaders, accepted: [] }, null, 2)}\n`);
  return revision;
}

/**
 * Records what a process has released alone: from now on a release may not take back what this one
 * added. Returns the commit. Errors: those of `recordBaseline`.
 */
export function recordOwnRelease(process: ProcessName, contract: Contract): string {
  const revision = committedRevision();
  const own = { revision, ...contractOf(process, contract) };
  writeOwnReleases({ ...readOwnReleases(), [process]: own });
  return revision;
}

const writeOwnReleases = (releases: OwnReleases): void =>
  writeFileSync(processesFile, serializeOwnReleases(releases));

function committedRevision(): string {
  const uncommitted = git('status', '--porcelain');
  if (uncommitted !== '') throw new Error(`commit these files first:\n${uncommitted}`);
  return git('rev-parse', 'HEAD');
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

/** The releases of processes, each like a baseline. */
export function serializeOwnReleases(releases: OwnReleases): string {
  const parts = Object.entries(releases).map(
    ([name, own]) => `${JSON.stringify(name)}: ${serializeBaseline(own).trimEnd()}`,
  );
  return parts.length === 0 ? '{}\n' : `{\n${parts.join(',\n')}\n}\n`;
}

/** The output of git without the last line break. Errors: git's. */
function git(...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
  return stdout.trimEnd();
}
