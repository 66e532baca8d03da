import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { killWithParent } from '@event-api/local-servers/tether';
import type { Ended } from '../plane/run.ts';
import type { BuiltImage } from './store.ts';

/** A process of the platform drains for at most ten seconds, on a busy machine it ends later. */
const STOP_TIMEOUT_MS = 120_000;

/** What a container is given beside its image. */
export interface ContainerOptions {
  /** Instead of the command of the image. */
  command?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Folders of this machine, by the path in the container. It can write to them. */
  volumes?: Readonly<Record<string, string>>;
}

/** A running container. */
export interface Container {
  hasEnded(): boolean;
  output(): string;
  /** How it ended by itself. */
  ended: Promise<Ended>;
  /** Sends SIGTERM, as a kubelet does. After two minutes it is killed. */
  stop(): Promise<Ended>;
}

/**
 * In namespaces of their own: the root is read-only, except for /tmp and the volumes. The last
 * command becomes the process with the id 1.
 */
const SCRIPT = `
root=$1 user=$2 folder=$3; shift 3
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
while [ "$1" != -- ]; do mount --bind "$1" "$root$2"; shift 2; done
shift
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs chroot --userspec="$user" --groups= "$root" env --chdir="$folder" "$@"
`;

/** Starts an image as Compose and Kubernetes do, with the network of this machine. */
export function startContainer(image: BuiltImage, options: ContainerOptions = {}): Container {
  const { command = image.command, env = {}, volumes = {} } = options;
  const namespaces = ['unshare', '--mount', '--pid', '--fork', '--kill-child=SIGKILL'];
  const mounts = Object.entries(volumes).flatMap(([path, folder]) => [folder, path]);
  const [program = '', ...words] = [
    ...killWithParent('SIGKILL'),
    ...namespaces,
    ...['sh', '-ec', SCRIPT, 'sh', image.root, image.user, image.folder, ...mounts, '--'],
    ...command,
  ];
  const child = spawn(program, words, {
    env: { ...image.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (part: string) => {
      output[name] += part;
    });
  let hasEnded = false;
  const ended = once(child, 'close').then(([code]) => {
    hasEnded = true;
    return { status: (code as number | null) ?? -1, ...output };
  });
  return {
    hasEnded: () => hasEnded,
    output: () => output.stdout + output.stderr,
    ended,
    async stop() {
      if (!hasEnded) process.kill(firstProcessOf(child), 'SIGTERM');
      await Promise.race([ended, wait(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      if (!hasEnded) child.kill('SIGKILL');
      return await ended;
    },
  };
}

/** `unshare` itself ignores SIGTERM. Its only child is the first process of the container. */
function firstProcessOf({ pid }: ChildProcess): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return Number.parseInt(children, 10);
}

/** Runs a command in an image to its end. */
export const runInImage = (image: BuiltImage, options: ContainerOptions): Promise<Ended> =>
  startContainer(image, options).ended;
