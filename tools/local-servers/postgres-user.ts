import { lchownSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { killWithParent, setprivAvailable, succeeds } from './tether.ts';

// The user `nobody`, which exists on every Linux. PostgreSQL does not run as root.
const UNPRIVILEGED_UID = 65_534;

/** How PostgreSQL's programs are started on this machine. */
export interface PostgresUser {
  /** Precedes the command. */
  prefix: string[];
  /**
   * The user id that must own the data, as seen by this process; undefined for the current user.
   */
  owner?: number;
}

/** Fast shutdown: open transactions are rolled back and the next start needs no recovery. */
export const FAST_SHUTDOWN = 'SIGINT';

/**
 * How to start PostgreSQL. An ordinary user starts it directly. Root starts it as the user
 * `nobody`: in a user namespace that maps `nobody` to root, else as the real `nobody`, with
 * capabilities to enter private folders (such as a checkout in a home folder). Errors: as root on a
 * system without both.
 */
export function postgresUser(): PostgresUser {
  if (process.getuid?.() !== 0) return { prefix: killWithParent(FAST_SHUTDOWN) };
  const masked = [
    'unshare',
    '--user',
    `--map-user=${UNPRIVILEGED_UID}`,
    `--map-group=${UNPRIVILEGED_UID}`,
  ];
  if (setprivAvailable() && works(masked))
    return { prefix: [...masked, ...killWithParent(FAST_SHUTDOWN)], owner: 0 };
  const caps = '+dac_override,+dac_read_search';
  const changed = [
    'setpriv',
    `--reuid=${UNPRIVILEGED_UID}`,
    `--regid=${UNPRIVILEGED_UID}`,
    '--clear-groups',
  ];
  const reaching = [...changed, `--inh-caps=${caps}`, `--ambient-caps=${caps}`];
  for (const words of [reaching, changed]) {
    if (setprivAvailable() && works(words))
      return { prefix: [...words, ...killWithParent(FAST_SHUTDOWN)], owner: UNPRIVILEGED_UID };
  }
  throw new Error(
    'PostgreSQL does not run as root, and this system has no way to start it as another user. Start as an ordinary user, or set DATABASE_URL to an existing server.',
  );
}

function works(words: string[]): boolean {
  const [program = '', ...args] = words;
  return succeeds(program, [...args, 'true']);
}

/**
 * Makes `owner` the owner of `folder` and its content. A start as another user may have created it.
 */
export function chownTo(owner: number | undefined, folder: string): void {
  if (owner === undefined || statSync(folder).uid === owner) return;
  // The folder itself is last, so that the next run completes an interrupted one.
  for (const entry of readdirSync(folder, { recursive: true }))
    lchownSync(join(folder, String(entry)), owner, owner);
  lchownSync(folder, owner, owner);
}
