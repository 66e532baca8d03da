import type { VersionChange } from './change.ts';

/** Every change since the first version, one module each beside this file. There is none yet. */
export const versionChanges: readonly VersionChange[] = [];
