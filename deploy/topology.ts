/** A process as the manifests know it. */
export interface DeployedProcess {
  name: string;
  folder: string;
  /** Whose public port it calls. */
  callsApi: string[];
  /** Whose internal port it asks. */
  callsInternal: string[];
  /** The servers that it opens connections to. */
  servers: ('postgres' | 'nats' | 'redis')[];
  /** Migrates a schema of its own before it starts. */
  migrates: boolean;
}

/** Who talks to whom, in both directions of every network policy and in every `depends_on`. */
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

/** Whether a setting names the address of a process, and whose: CATALOG_URL, CATALOG_INTERNAL_URL. */
export function processOfUrlSetting(setting: string): string | undefined {
  const [, name] = /^([A-Z]+)_(?:INTERNAL_)?URL$/.exec(setting) ?? [];
  return topology.find((each) => each.name === name?.toLowerCase())?.name;
}
