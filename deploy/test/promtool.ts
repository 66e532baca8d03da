import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { unpackedPackage } from '@event-api/local-servers/debian-packages';
import { root } from './image-tree.ts';

/**
 * Runs Prometheus's tool for rules: the installed one, or that of Debian's package. Undefined if
 * neither is available, such as without a network on another system.
 */
export async function promtool(
  args: string[],
): Promise<{ status: number | null; output: string } | undefined> {
  const program = isInstalled() ? 'promtool' : await unpacked();
  if (!program) return undefined;
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

const isInstalled = () => spawnSync('promtool', ['--version']).status === 0;

async function unpacked(): Promise<string | undefined> {
  const folder = await unpackedPackage(join(root, '.toolchain/deb'), 'prometheus', (line) =>
    console.error(line),
  );
  return folder && join(folder, 'usr/bin/promtool');
}
