import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Runs a garbage collection of this process, by default a major one. */
export const collectGarbage = runInNewContext('gc') as (options?: {
  type: 'minor' | 'major';
}) => void;

/** The bytes that the old generation of this process uses. */
export const oldBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ??
  0;
