import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cellPattern, cellRule } from '@event-api/contracts/cells';
import { z } from 'zod';

const address = z.string().regex(/^[\w.-]+:\d+$/, 'must be a host and a port');

/** The cells of a public address, and where the proxies reach their gateways. */
export const CellList = z.strictObject({
  /** The name server of the proxies. */
  resolver: z.ipv4(),
  default: address,
  cells: z.record(z.string().regex(cellPattern, cellRule), address),
});
export type CellList = z.infer<typeof CellList>;

/** The list of this repository. */
export const readCells = (): CellList =>
  CellList.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'cells.json'), 'utf8')));
