import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cellPattern, cellRule } from '@event-api/contracts/cells';

/** The cells of a public address, and where the proxies reach their gateways: host and port. */
export interface CellList {
  /** The address of the name server of the proxies. */
  resolver: string;
  default: string;
  cells: Readonly<Record<string, string>>;
}

const address = /^[\w.-]+:\d+$/;

/** Returns what is wrong with a list. Its texts are written into configurations as they are. */
export function faultsOf({ resolver, default: ofDefault, cells }: CellList): string[] {
  const places = Object.entries({ default: ofDefault, ...cells });
  return [
    ...(/^[\d.]+$/.test(resolver) ? [] : ['resolver must be an IPv4 address']),
    ...Object.keys(cells)
      .filter((cell) => !cellPattern.test(cell))
      .map((cell) => `${cell} ${cellRule}`),
    ...places
      .filter(([, place]) => !address.test(place))
      .map(([cell]) => `the address of ${cell} must be a host and a port`),
  ];
}

/** Reads the list of this repository. Errors: what is wrong with it. */
export function readCells(): CellList {
  const text = readFileSync(join(import.meta.dirname, 'cells.json'), 'utf8');
  const list: CellList = JSON.parse(text);
  const faults = faultsOf(list);
  if (faults.length > 0) throw new Error(`cells.json: ${faults.join('; ')}`);
  return list;
}
