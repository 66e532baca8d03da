import type { OperationChange, OperationTranslation, VersionChange } from './change.ts';

export interface VersionRegistry {
  /** The newest version: services implement it, and new keys are pinned to it. */
  readonly current: string;
  readonly supported: readonly string[];
  /**
   * Returns the translation of an operation for callers of `version`. Callers of the current
   * version need none.
   */
  translationFor(version: string, operationId: string): OperationTranslation;
}

/** All changes since the first version, one module each beside this file. There is none yet. */
export const versionChanges: readonly VersionChange[] = [];

const nothing: OperationTranslation = { request: null, response: null };

/**
 * Services implement only the newest version. An older request is translated change by change,
 * oldest first. Its response is translated back the same way, newest first.
 */
export function createVersionRegistry(
  supported: readonly string[],
  changes: readonly VersionChange[],
): VersionRegistry {
  const dates = [...supported].sort();
  const current = dates.at(-1);
  if (!current) throw new Error('no version is configured');
  const ascending = [...changes].sort((a, b) => a.version.localeCompare(b.version));
  const stray = ascending.find(({ version }) => !dates.includes(version));
  if (stray) throw new Error(`a change names the unknown version ${stray.version}`);
  const translations = new Map<string, OperationTranslation>();
  return {
    current,
    supported: dates,
    translationFor(version, operationId) {
      if (version === current) return nothing;
      const key = `${version} ${operationId}`;
      const translation = translations.get(key) ?? translate(ascending, version, operationId);
      translations.set(key, translation);
      return translation;
    },
  };
}

function translate(
  ascending: readonly VersionChange[],
  version: string,
  operationId: string,
): OperationTranslation {
  const later = ascending
    .filter((change) => change.version > version)
    .flatMap(({ operations }) => operations[operationId] ?? []);
  return {
    request: chain(later.map((change) => change.request)),
    response: chain(later.map((change) => change.response).reverse()),
  };
}

function chain(steps: (OperationChange['request'] | undefined)[]): OperationTranslation['request'] {
  const present = steps.filter((step) => step !== undefined);
  if (present.length === 0) return null;
  return (body) => present.reduce((value, step) => step(value), body);
}
