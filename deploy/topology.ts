/** A process of the manifests. */
export interface DeployedProcess {
  name: string;
  folder: string;
  /** Processes whose API port it calls. */
  callsApi: string[];
  /** Processes whose internal port it calls. */
  callsInternal: string[];
  /** Servers that it connects to. */
  servers: ('postgres' | 'nats' | 'redis')[];
  /** Whether it has a schema that is migrated before it starts. */
  migrates: boolean;
}

/** Connections between processes. Tests compare network policies and `depends_on` with them. */
export const topology: DeployedProcess[] = [
  {
    name: 'catalog',
    folder: 'services/catalog',
    callsApi: [],
    callsInternal: ['registration'],
    servers: ['postgres', 'nats'],
    migrates: true,
  },
  {
    name: 'registration',
    folder: 'services/registration',
    callsApi: [],
    callsInternal: ['catalog'],
    servers: ['postgres', 'nats'],
    migrates: true,
  },
  {
    name: 'commerce',
    folder: 'services/commerce',
    callsApi: [],
    callsInternal: ['catalog', 'registration'],
    servers: ['postgres', 'nats'],
    migrates: true,
  },
  {
    name: 'onsite',
    folder: 'services/onsite',
    callsApi: [],
    callsInternal: ['catalog', 'registration'],
    servers: ['postgres', 'nats'],
    migrates: true,
  },
  {
    name: 'gateway',
    folder: 'gateway',
    callsApi: ['catalog', 'registration', 'commerce', 'onsite'],
    callsInternal: [],
    servers: ['postgres', 'redis'],
    migrates: true,
  },
];

/** The process whose address a setting names, such as CATALOG_URL or CATALOG_INTERNAL_URL. */
export function processOfUrlSetting(setting: string): string | undefined {
  const [, name] = /^([A-Z]+)_(?:INTERNAL_)?URL$/.exec(setting) ?? [];
  return topology.find((process) => process.name === name?.toLowerCase())?.name;
}
