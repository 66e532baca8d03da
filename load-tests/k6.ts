import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The last release that is published as a Go module; its scenarios run unchanged on later ones. */
export const K6 = '1.8.1';

/** k6 is neither here nor to be had. The message is meant for the person at the terminal. */
export class K6MissingError extends Error {}

const succeeds = (program: string, ...args: string[]) =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** Where k6 is: on the PATH, in `toolchain`, or built into it where Go is at hand, which takes some minutes once.
 *  Errors: K6MissingError. */
export function findK6(toolchain: string, report: (line: string) => void): string {
  if (succeeds('k6', 'version')) return 'k6';
  const folder = join(toolchain, 'k6');
  const built = join(folder, 'k6');
  if (existsSync(built) && succeeds(built, 'version')) return built;
  if (succeeds('go', 'version')) {
    report(`building k6 ${K6} with Go, once`);
    mkdirSync(folder, { recursive: true });
    const env = { ...process.env, GOBIN: folder };
    const { status } = spawnSync('go', ['install', `go.k6.io/k6@v${K6}`], {
      env,
      stdio: 'inherit',
    });
    if (status === 0 && succeeds(built, 'version')) return built;
  }
  throw new K6MissingError(
    [
      'k6 could neither be found nor built. Any of these will do:',
      '  macOS:           brew install k6',
      '  Debian, Ubuntu:  the package k6 from https://grafana.com/docs/k6/latest/set-up/install-k6/',
      `  Go:              go install go.k6.io/k6@v${K6}, then have it on the PATH`,
      '  Docker:          docker compose --profile load run --rm k6 version',
    ].join('\n'),
  );
}
