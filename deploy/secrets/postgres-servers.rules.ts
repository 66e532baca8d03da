import { type ProcessName, processNames, schemas } from '@event-api/contracts/topology';

/** Which process uses which PostgreSQL server. An address names the superuser and the database. */
export interface PostgresAddresses {
  /** The server that processes share. */
  postgres: string;
  /** Processes with a server of their own. */
  postgresOf: Partial<Record<ProcessName, string>>;
}

/** A PostgreSQL server and the schemas that it has. */
export interface PostgresServer {
  /** `postgres`, or `postgres-<process>` for that of one process. */
  name: string;
  /** The process whose server it is; undefined for the shared one. */
  process: ProcessName | undefined;
  address: string;
  schemas: readonly ProcessName[];
}

/** The servers. The shared one is missing if no process is left for it. */
export function postgresServers({ postgres, postgresOf }: PostgresAddresses): PostgresServer[] {
  const shared = schemas.filter((schema) => postgresOf[schema] === undefined);
  const own = schemas.flatMap((process) => {
    const address = postgresOf[process];
    if (address === undefined) return [];
    return [{ name: `postgres-${process}`, process, address, schemas: [process] }];
  });
  return [
    ...(shared.length > 0
      ? [{ name: 'postgres', process: undefined, address: postgres, schemas: shared }]
      : []),
    ...own,
  ];
}

/** The word that stands for every process in an assignment. */
const EACH = 'each';
const PLACEHOLDER = '{process}';

export type AssignmentsDecision =
  | { outcome: 'accepted'; postgresOf: PostgresAddresses['postgresOf'] }
  | { outcome: 'no_assignment'; word: string }
  | { outcome: 'unknown_process'; name: string }
  | { outcome: 'no_address'; name: string }
  /** These would use the same server, each with a superuser of its own. */
  | { outcome: 'same_server'; names: string[] };

/**
 * Decides the servers after these assignments, each `<process>=<address>`. An empty address lets the
 * process share again. `each=<address>` assigns one to every process: the address contains
 * `{process}`.
 */
export function decideAssignments(
  current: PostgresAddresses,
  words: readonly string[],
): AssignmentsDecision {
  const postgresOf = { ...current.postgresOf };
  for (const word of words) {
    const [, name, address = ''] = /^([^=]+)=(.*)$/.exec(word) ?? [];
    if (name === undefined) return { outcome: 'no_assignment', word };
    const chosen = processNames.filter((each) => name === EACH || each === name);
    if (chosen.length === 0) return { outcome: 'unknown_process', name };
    for (const each of chosen) {
      const own = address.replaceAll(PLACEHOLDER, each);
      if (own === '') delete postgresOf[each];
      else if (isAddress(own)) postgresOf[each] = own;
      else return { outcome: 'no_address', name };
    }
  }
  const shared = findShared({ postgres: current.postgres, postgresOf });
  return shared ? { outcome: 'same_server', names: shared } : { outcome: 'accepted', postgresOf };
}

function isAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.username !== '';
}

/** The users of the first server that has two. */
function findShared(addresses: PostgresAddresses): string[] | undefined {
  const hostOf = ({ address }: PostgresServer) => {
    const { hostname, port } = new URL(address);
    return `${hostname}:${port || '5432'}`;
  };
  const byHost = Map.groupBy(postgresServers(addresses), hostOf);
  return [...byHost.values()]
    .find((servers) => servers.length > 1)
    ?.map(({ process }) => process ?? '--postgres');
}

/** What an operator reads about a rejected assignment. */
export function describeRejection(
  decision: Exclude<AssignmentsDecision, { outcome: 'accepted' }>,
): string {
  switch (decision.outcome) {
    case 'no_assignment':
      return `--postgres-of ${decision.word}: write <process>=<address>`;
    case 'unknown_process':
      return `--postgres-of ${decision.name}: there is no such process; ${processNames.join(', ')}, or ${EACH}`;
    case 'no_address':
      return `--postgres-of ${decision.name}: write postgres://<superuser>@<host>/<database>`;
    case 'same_server':
      return `${decision.names.join(' and ')} have the same server: leave --postgres-of out for processes that share one`;
  }
}
