import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The last release that is published as a Go module. Its scenarios run unchanged on later releases.
 */
export const K6 = '1.8.1';

/** k6 is not installed and cannot be built. The message tells the user how to install it. */
export class K6MissingError extends Error {}

const succeeds = (program: string, ...args: string[]) =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** k6 on the PATH or in `toolchain`; undefined if it is at neither place. */
export function installedK6(toolchain: string): string | undefined {
  const built = join(toolchain, 'k6/k6');
  return ['k6', built].find((program) => succeeds(program, 'version'));
}

/**
 * Finds k6 on the PATH or in `toolchain`. Otherwise builds it into `toolchain` with Go, which takes
 * some minutes once.
 * Errors: K6MissingError.
 */
export function findK6(toolchain: string, report: (line: string) => void): string {
  const installed = installedK6(toolchain);
  if (installed !== undefined) return installed;
  if (succeeds('go', 'version')) {
    report(`building k6 ${K6} with Go`);
    const folder = join(toolchain, 'k6');
    mkdirSync(folder, { recursive: true });
    const env = { ...process.env, GOBIN: folder };
    const { status } = spawnSync('go', ['install', `go.k6.io/k6@v${K6}`], {
      env,
      stdio: 'inherit',
    });
    const built = installedK6(toolchain);
    if (status === 0 && built !== undefined) return built;
  }
  throw new K6MissingError(
    [
      'k6 is not installed and cannot be built. Install it in one of these ways:',
      '  macOS:           brew install k6',
      '  Debian, Ubuntu:  the package k6 from https://grafana.com/docs/k6/latest/set-up/install-k6/',
      `  Go:              go install go.k6.io/k6@v${K6}, then add it to the PATH`,
      '  Docker:          docker compose --profile load run --rm k6 version',
    ].join('\n'),
  );
}
