/** A process as the manifests know it. */
export interface DeployedProcess {
  name: string;
  folder: string;
  /** Whose public port it calls. */
  callsApiOf: string[];
  /** Whose internal port it asks. */
  asks: string[];
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
    callsApiOf: [],
    asks: ['registration'],
    servers: ['postgres', 'nats'],
    migrates: true,
  },
  {
    name: 'registration',
    folder: 'services/registration',
    callsApiOf: [],
    asks: ['catalog'],
    servers: ['postgres', 'nats'],
    migrates: true,
  },
  {
    name: 'commerce',
    folder: 'services/commerce',
    callsApiOf: [],
    asks: ['catalog', 'registration'],
    servers: ['postgres', 'nats'],
    migrates: true,
  },
  {
    name: 'onsite',
    folder: 'services/onsite',
    callsApiOf: [],
    asks: ['catalog', 'registration'],
    servers: ['postgres', 'nats'],
    migrates: true,
  },
  {
    name: 'gateway',
    folder: 'gateway',
    callsApiOf: ['catalog', 'registration', 'commerce', 'onsite'],
    asks: [],
    servers: ['postgres', 'redis'],
    migrates: true,
  },
];

/** Whether a setting names the address of a process, and whose: CATALOG_URL, CATALOG_INTERNAL_URL. */
export function neighbourOf(setting: string): string | undefined {
  const [, name] = /^([A-Z]+)_(?:INTERNAL_)?URL$/.exec(setting) ?? [];
  return topology.find((each) => each.name === name?.toLowerCase())?.name;
}
