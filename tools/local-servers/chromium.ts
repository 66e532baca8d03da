import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** There is no browser and none can be installed here. The message is meant for the person at the terminal. */
export class BrowserMissingError extends Error {}

/** The browser that pages are tested in: one on PATH, else Debian's, installed when we may. `report` hears of an
 *  installation before it begins. Errors: BrowserMissingError. */
export function findChromium(report: (line: string) => void): string {
  const found = onPath();
  if (found) return found;
  const mayInstall = process.getuid?.() === 0 && isThere('apt-get');
  if (mayInstall) {
    report('installing chromium with apt-get, once');
    install();
  }
  const installed = onPath();
  if (installed) return installed;
  throw new BrowserMissingError(
    'No Chromium was found. Install it: apt-get install chromium (Debian), brew install --cask chromium (macOS).',
  );
}

function install(): void {
  const run = (args: string[]) =>
    spawnSync('apt-get', args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: 'ignore',
      timeout: 300_000,
    }).status === 0;
  const packages = ['install', '-y', '-qq', '--no-install-recommends', 'chromium'];
  if (!run(packages)) run(['update', '-qq']) && run(packages);
}

function onPath(): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const name = NAMES.find((candidate) => isExecutable(join(folder, candidate)));
    if (name) return join(folder, name);
  }
  return undefined;
}

const isThere = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, program)));

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
