import { parseArgs } from 'node:util';

export const USAGE = `npm run -s restore -- <overlay> [<process> … | each] [--to <time>] [--from <folder>] [--folder <path>]
  npm run -s restore -- production                       the server that processes share, to the end of its log
  npm run -s restore -- production registration --to 2026-12-04T11:58:00Z
                                                         the server of one process, as it was then
  npm run -s restore -- production each                  the servers of all processes
  --from <folder>   restores from this folder of the object store, by default that of the present server
  --folder <path>   of the manifests, by default deploy/kubernetes

Writes the manifests of new servers from backups into overlays/<overlay>/restored, adds them to the overlay, and prints what
to do next. It changes nothing in a cluster.`;

/** A mistake of the operator, reported in one line. */
export class UsageError extends Error {}

export interface Arguments {
  overlay: string;
  /** Processes with a server of their own; none for the shared server. */
  processes: readonly string[] | 'each';
  to: Date | undefined;
  from: string | undefined;
  folder: string | undefined;
}

const text = { type: 'string' } as const;

/** Parses the command line. Errors: UsageError. */
export function parseArguments(args: readonly string[], now: Date): Arguments {
  const { positionals, values } = parse(args);
  const [overlay, ...processes] = positionals;
  if (overlay === undefined) throw new UsageError(USAGE);
  if (!/^[a-z-]+$/.test(overlay))
    throw new UsageError(`${overlay} is no overlay, such as production`);
  const { from, folder } = values;
  const isEach = processes.length === 1 && processes[0] === 'each';
  if (from !== undefined && (isEach || processes.length > 1))
    throw new UsageError('--from names the folder of one server: restore one at a time');
  if (from !== undefined && !/^[a-z0-9-]+$/.test(from))
    throw new UsageError(`--from ${from} is no folder of a server, such as postgres-registration`);
  return {
    overlay,
    processes: isEach ? 'each' : processes,
    to: values.to === undefined ? undefined : parseTime(values.to, now),
    from,
    folder,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { to: text, from: text, folder: text },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

/** A time without a zone would mean that of the machine, and no log reaches into the future. */
function parseTime(to: string, now: Date): Date {
  const time = new Date(to);
  const hasZone = /T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(to);
  if (!hasZone || Number.isNaN(time.getTime()))
    throw new UsageError(
      `--to must be a time with a zone, such as 2026-12-04T11:58:00Z, and is ${to}`,
    );
  if (time >= now) throw new UsageError(`--to must be in the past, and is ${to}`);
  return time;
}
