/** Where a server or a process runs. */
export interface Place {
  /** The IP address on which it listens, and at which others reach it. */
  address: string;
  /** Precedes its command, to enter another network namespace. */
  enter: readonly string[];
}

/** On this machine, for this machine only. */
export const loopback: Place = { address: '127.0.0.1', enter: [] };
