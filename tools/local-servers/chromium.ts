import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The headless shell first: the same engine without the parts of a desktop browser, at a third of
 * the CPU for each page.
 */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** No browser was found and none can be installed. The message is shown at the terminal. */
export class BrowserMissingError extends Error {}

/**
 * Finds the browser for page tests on PATH. As root on Debian it installs one if there is none;
 * `report` is called before the installation. Errors: BrowserMissingError.
 */
export function findChromium(report: (line: string) => void): string {
  const found = onPath();
  if (found) return found;
  const canInstall = process.getuid?.() === 0 && isOnPath('apt-get');
  if (canInstall) {
    report('installing Chromium with apt-get (first run only)');
    install();
  }
  const installed = onPath();
  if (installed) return installed;
  throw new BrowserMissingError(
    'Chromium was not found. Install it: apt-get install chromium-headless-shell (Debian), brew install --cask chromium (macOS).',
  );
}

function install(): void {
  const run = (args: string[]) =>
    spawnSync('apt-get', args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: 'ignore',
      timeout: 300_000,
    }).status === 0;
  // Two test files may install at the same time: the second waits for the first.
  const options = ['-y', '-qq', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=240'];
  const packages = ['install', ...options, 'chromium-headless-shell'];
  if (!run(packages)) run(['update', '-qq']) && run(packages);
}

function onPath(): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const name = NAMES.find((candidate) => isExecutable(join(folder, candidate)));
    if (name) return join(folder, name);
  }
  return undefined;
}

const isOnPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, program)));

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
