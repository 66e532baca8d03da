/** What a process is and to what it connects. */
interface ProcessTopology {
  /**
   * Also the name of its schema, its database role, its NATS user and its issuer of caller tokens.
   */
  name: string;
  /**
   * A service has records of business units. The gateway serves integrators, the console serves
   * operators in a browser.
   */
  kind: 'service' | 'gateway' | 'console';
  /** Its entry point is `src/main.ts` in this folder; `src/migrate.ts` runs its migrations. */
  folder: string;
  /** Processes whose API port it calls on behalf of integrators or operators. */
  callsApi: readonly string[];
  /** Processes whose internal port it calls. */
  callsInternal: readonly string[];
  /** Servers to which it connects. */
  servers: readonly ServerName[];
  /** Whether it publishes its records to NATS. */
  publishes: boolean;
  /** Whether it has projections of the records of other services. */
  projects: boolean;
  /** Whether it reports changes of its records to the change feed. */
  writesChanges: boolean;
  /** Whether it has a schema that is migrated before it starts. */
  migrates: boolean;
}

/** The servers that processes share. */
export type ServerName = 'postgres' | 'nats' | 'redis';

const processes = [
  {
    name: 'catalog',
    kind: 'service',
    folder: 'services/catalog',
    callsApi: [],
    callsInternal: ['registration'],
    servers: ['postgres', 'nats'],
    publishes: true,
    projects: true,
    writesChanges: true,
    migrates: true,
  },
  {
    name: 'registration',
    kind: 'service',
    folder: 'services/registration',
    callsApi: [],
    callsInternal: ['catalog', 'onsite'],
    servers: ['postgres', 'nats'],
    publishes: true,
    projects: true,
    writesChanges: true,
    migrates: true,
  },
  {
    name: 'commerce',
    kind: 'service',
    folder: 'services/commerce',
    callsApi: [],
    callsInternal: ['catalog', 'registration'],
    servers: ['postgres', 'nats'],
    publishes: false,
    projects: true,
    writesChanges: true,
    migrates: true,
  },
  {
    name: 'onsite',
    kind: 'service',
    folder: 'services/onsite',
    callsApi: [],
    callsInternal: ['catalog', 'registration'],
    servers: ['postgres', 'nats'],
    publishes: false,
    projects: true,
    writesChanges: true,
    migrates: true,
  },
  {
    name: 'changes',
    kind: 'service',
    folder: 'services/changes',
    callsApi: [],
    callsInternal: ['catalog', 'registration', 'commerce', 'onsite'],
    servers: ['postgres', 'nats'],
    publishes: false,
    projects: false,
    writesChanges: false,
    migrates: true,
  },
  {
    name: 'gateway',
    kind: 'gateway',
    folder: 'gateway',
    callsApi: ['catalog', 'registration', 'commerce', 'onsite', 'changes'],
    callsInternal: [],
    servers: ['postgres', 'redis'],
    publishes: false,
    projects: false,
    writesChanges: false,
    migrates: true,
  },
  {
    name: 'console',
    kind: 'console',
    folder: 'console/server',
    callsApi: ['catalog', 'registration', 'commerce', 'onsite', 'changes'],
    callsInternal: ['catalog', 'registration', 'commerce', 'onsite', 'changes', 'gateway'],
    servers: ['postgres', 'redis'],
    publishes: false,
    projects: false,
    writesChanges: false,
    migrates: true,
  },
] as const satisfies readonly ProcessTopology[];

type Declared = (typeof processes)[number];
type Named<Name extends ProcessName> = Extract<Declared, { name: Name }>;

export type ProcessName = Declared['name'];
/** A process that serves integrators behind the gateway. */
export type ServiceName = Extract<Declared, { kind: 'service' }>['name'];
/** A service that publishes its records. */
export type PublisherName = Extract<Declared, { publishes: true }>['name'];
/** The processes whose API port, or internal port, a process calls. */
export type ApiPeer<Name extends ProcessName> = Named<Name>['callsApi'][number];
export type InternalPeer<Name extends ProcessName> = Named<Name>['callsInternal'][number];

/** A process of the platform. */
export interface Process extends ProcessTopology {
  name: ProcessName;
  callsApi: readonly ProcessName[];
  callsInternal: readonly ProcessName[];
}

/**
 * The processes of the platform and their connections. Schemas, roles, keys, NATS users, settings
 * and start order derive from this list; tests compare the Compose file, the manifests and the
 * monitoring with it.
 */
export const topology: readonly Process[] = processes;

export const processNames: readonly ProcessName[] = processes.map(({ name }) => name);

const isService = (process: Declared): process is Extract<Declared, { kind: 'service' }> =>
  process.kind === 'service';
export const serviceNames: readonly ServiceName[] = processes
  .filter(isService)
  .map(({ name }) => name);

/** The processes that serve integrators: all but the console, without which the API is complete. */
export const apiProcessNames: readonly ProcessName[] = processes
  .filter(({ kind }) => kind !== 'console')
  .map(({ name }) => name);

const isPublisher = (process: Declared): process is Extract<Declared, { publishes: true }> =>
  process.publishes;
export const publisherNames: readonly PublisherName[] = processes
  .filter(isPublisher)
  .map(({ name }) => name);

const isProjecting = (process: Declared): process is Extract<Declared, { projects: true }> =>
  process.projects;
/** A service that has projections of the records of other services. */
export type ProjectingService = Extract<Declared, { projects: true }>['name'];
export const projectingServices: readonly ProjectingService[] = processes
  .filter(isProjecting)
  .map(({ name }) => name);

const writesChanges = (process: Declared): process is Extract<Declared, { writesChanges: true }> =>
  process.writesChanges;
/** A service that reports changes of its records to the change feed. */
export type ChangeOwner = Extract<Declared, { writesChanges: true }>['name'];
export const changeOwners: readonly ChangeOwner[] = processes
  .filter(writesChanges)
  .map(({ name }) => name);

/** The processes with a schema. */
export const schemas: readonly ProcessName[] = processes
  .filter(({ migrates }) => migrates)
  .map(({ name }) => name);

/** Issuers of caller tokens: each process, and `admin` for operators. */
export const callerIssuers = [...processNames, 'admin'] as const;
export type CallerIssuer = ProcessName | 'admin';

/** The process of a name. Errors: there is none. */
export function processNamed(name: string): Process {
  const found = topology.find((process) => process.name === name);
  if (!found) throw new Error(`there is no process ${name}`);
  return found;
}

/** The ports of a process in a container or a pod. Its host name there is its name. */
export const containerPorts = { api: 8080, internal: 9090 } as const;

/** The address of a process in Compose and Kubernetes. */
export const containerUrl = (name: ProcessName, port: keyof typeof containerPorts): string =>
  `http://${name}:${containerPorts[port]}`;

/** The settings with the addresses of a process. */
export type ApiUrlSetting<Name extends ProcessName> = `${Uppercase<Name>}_URL`;
export type InternalUrlSetting<Name extends ProcessName> = `${Uppercase<Name>}_INTERNAL_URL`;

export const apiUrlSetting = <Name extends ProcessName>(name: Name): ApiUrlSetting<Name> =>
  `${name.toUpperCase() as Uppercase<Name>}_URL`;
export const internalUrlSetting = <Name extends ProcessName>(
  name: Name,
): InternalUrlSetting<Name> => `${name.toUpperCase() as Uppercase<Name>}_INTERNAL_URL`;

/** The settings of a process with the addresses of the processes that it calls. */
export const urlSettingsOf = ({ callsApi, callsInternal }: Process): string[] => [
  ...callsApi.map(apiUrlSetting),
  ...callsInternal.map(internalUrlSetting),
];

/**
 * The process whose address a setting contains, such as CATALOG_URL or CATALOG_INTERNAL_URL, for
 * another process.
 */
export const processOfUrlSetting = (setting: string): ProcessName | undefined =>
  processNames.find(
    (name) =>
      topology.some(
        ({ callsApi, callsInternal }) => callsApi.includes(name) || callsInternal.includes(name),
      ) &&
      (setting === apiUrlSetting(name) || setting === internalUrlSetting(name)),
  );
