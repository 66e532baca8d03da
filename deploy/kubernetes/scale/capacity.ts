import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the platform does for its users; the load of a sale is a rate of each. */
export const operations = [
  'read',
  'registration',
  'freeOrder',
  'paidOrder',
  'checkin',
  'feedRow',
  'consolePage',
] as const;
export type OperationName = (typeof operations)[number];

/** What one operation costs, as `npm run bench -- capacity` has measured it. */
export interface OperationCosts {
  /** CPU time in microseconds, by process and server. */
  cpuMicros: Record<string, number>;
  /** By how much the log of PostgreSQL and its tables grow. */
  walBytes: number;
  diskBytes: number;
}

/** How long requests take while a process is as busy as this. */
export interface KneeStep {
  connections: number;
  perSecond: number;
  /** CPU time of the process per time. */
  cores: number;
  p50Ms: number;
  p99Ms: number;
}

/** A kind of request on more and more connections, and the process whose CPU time was read. */
export interface Knee {
  process: string;
  steps: KneeStep[];
}

export interface Capacity {
  measuredAt: string;
  machine: string;
  operations: Record<OperationName, OperationCosts>;
  /** CPU time of a process from its start until it is ready. */
  cpuSecondsUntilReady: Record<string, number>;
  /** By what is requested. */
  knees: Record<string, Knee>;
}

export const capacityFile = join(import.meta.dirname, '../capacity.json');

/** The recorded figures. */
export const readCapacity = (): Capacity => JSON.parse(readFileSync(capacityFile, 'utf8'));

/** Operations per second. */
export type Rates = Record<OperationName, number>;

/** The cores that a process or a server needs in total at these rates. */
export const coresOf = (name: string, rates: Rates, capacity: Capacity): number =>
  operations.reduce(
    (sum, operation) =>
      sum + (rates[operation] * (capacity.operations[operation].cpuMicros[name] ?? 0)) / 1e6,
    0,
  );

/** The bytes per second that the log of PostgreSQL grows by. */
export const logBytesOf = (rates: Rates, capacity: Capacity): number =>
  operations.reduce(
    (sum, operation) => sum + rates[operation] * capacity.operations[operation].walBytes,
    0,
  );
