import { lchownSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { killWithParent, setprivAvailable, succeeds } from './tether.ts';

// PostgreSQL refuses to run as root. This is `nobody`, which every Linux has.
const UNPRIVILEGED_UID = 65_534;

/** How PostgreSQL's programs are started on this machine. */
export interface PostgresUser {
  /** The words before the command. */
  prefix: string[];
  /** The user id that its data has to belong to, as seen from here; undefined: whoever we are. */
  owner?: number;
}

/** Fast shutdown: open transactions are rolled back and the next start needs no recovery. */
export const FAST_SHUTDOWN = 'SIGINT';

/** An ordinary user starts PostgreSQL as itself. Root starts it as nobody: in a user namespace, where nobody is a
 *  mask for root itself, else as the real nobody with root's right to pass folders that are closed to others
 *  (a checkout in a private home). Errors: as root on a system that has neither. */
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
    'PostgreSQL does not run as root, and this system offers no way to start it as somebody else. Start as an ordinary user, or set DATABASE_URL to a server that is already there.',
  );
}

function works(words: string[]): boolean {
  const [program = '', ...args] = words;
  return succeeds(program, [...args, 'true']);
}

/** Gives `folder` and all in it to `owner` where it belongs to somebody else: the last start may have been another way. */
export function chownTo(owner: number | undefined, folder: string): void {
  if (owner === undefined || statSync(folder).uid === owner) return;
  // The folder itself comes last, so that a run killed half-way is completed by the next.
  for (const entry of readdirSync(folder, { recursive: true }))
    lchownSync(join(folder, String(entry)), owner, owner);
  lchownSync(folder, owner, owner);
}
