import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadSource, type ProcessSource } from '../platform/process-source.ts';
import { root } from '../settings/settings.ts';

/** The packages that start and migrate processes. Their dependencies are installed with them. */
const installed = ['@event-api/tools...', './gateway', './console/server', './services/*'];

/** Whether the repository has this commit. A shallow clone may lack it. */
export const hasRevision = (revision: string): boolean =>
  spawnSync('git', ['cat-file', '-e', `${revision}^{commit}`], { cwd: root }).status === 0;

/**
 * The sources of a commit in `.data/baseline/<revision>`, with the packages of its own lock file.
 * The first call creates the folder and removes those of other commits; packages come from pnpm's
 * store, or from the registry if the store lacks one.
 * Errors: the output of git, tar or pnpm.
 */
export async function checkOutRelease(revision: string): Promise<ProcessSource> {
  const folder = join(root, '.data/baseline', revision);
  if (!existsSync(folder)) {
    mkdirSync(join(folder, '..'), { recursive: true });
    const draft = mkdtempSync(`${folder}.draft-`);
    try {
      runIn(draft, `git -C "${root}" archive ${revision} | tar -x`);
      const filters = installed.map((each) => `--filter "${each}"`).join(' ');
      runIn(draft, `pnpm install --prod --frozen-lockfile --prefer-offline ${filters}`);
      moveComplete(draft, folder);
      removeOthers(join(folder, '..'), revision);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  return loadSource(folder);
}

function runIn(cwd: string, command: string): void {
  const env = { ...process.env, CI: 'true' };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `set -e; ${command}`], {
    cwd,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} failed (${status})\n${stdout}${stderr}`);
}

/** A folder with its final name is complete. Another test run may have been faster. */
function moveComplete(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** Removes the folders of other commits. Drafts stay: another process may be writing them. */
export function removeOthers(parent: string, revision: string): void {
  const others = readdirSync(parent).filter(
    (name) => /^[0-9a-f]{40}$/.test(name) && name !== revision,
  );
  for (const name of others) rmSync(join(parent, name), { recursive: true, force: true });
}
