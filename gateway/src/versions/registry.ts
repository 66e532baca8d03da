import type { OperationChange, Translation, VersionChange } from './change.ts';

export interface VersionRegistry {
  /** The newest: what services speak, and what new keys are pinned to. */
  readonly current: string;
  readonly known: readonly string[];
  /** How an operation is translated for callers of `version`; nothing to do for those of the current one. */
  translationFor(version: string, operationId: string): Translation;
}

const nothing: Translation = { request: null, response: null };

/**
 * Services speak the newest version only. An older request is brought up to date change by change,
 * oldest first; its answer is taken back the same way, newest first.
 */
export function createVersionRegistry(
  known: readonly string[],
  changes: readonly VersionChange[],
): VersionRegistry {
  const dates = [...known].sort();
  const current = dates.at(-1);
  if (!current) throw new Error('no version is configured');
  const ascending = [...changes].sort((a, b) => a.version.localeCompare(b.version));
  const stray = ascending.find(({ version }) => !dates.includes(version));
  if (stray) throw new Error(`a change belongs to the unknown version ${stray.version}`);
  const translations = new Map<string, Translation>();
  return {
    current,
    known: dates,
    translationFor(version, operationId) {
      if (version === current) return nothing;
      const key = `${version} ${operationId}`;
      const made = translations.get(key) ?? translate(ascending, version, operationId);
      translations.set(key, made);
      return made;
    },
  };
}

function translate(
  ascending: readonly VersionChange[],
  version: string,
  operationId: string,
): Translation {
  const later = ascending
    .filter((change) => change.version > version)
    .flatMap(({ operations }) => operations[operationId] ?? []);
  return {
    request: chain(later.map((change) => change.request)),
    response: chain(later.map((change) => change.response).reverse()),
  };
}

function chain(steps: (OperationChange['request'] | undefined)[]): Translation['request'] {
  const present = steps.filter((step) => step !== undefined);
  if (present.length === 0) return null;
  return (body) => present.reduce((value, step) => step(value), body);
}
