import type { OperationChange, OperationTranslation, VersionChange } from './change.ts';

export interface VersionRegistry {
  /** The newest: what services speak, and what new keys are pinned to. */
  readonly current: string;
  readonly supported: readonly string[];
  /** How an operation is translated for callers of `version`; nothing to do for those of the current one. */
  translationFor(version: string, operationId: string): OperationTranslation;
}

const nothing: OperationTranslation = { request: null, response: null };

/**
 * Services speak the newest version only. An older request is brought up to date change by change,
 * oldest first; its answer is taken back the same way, newest first.
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
  if (stray) throw new Error(`a change belongs to the unknown version ${stray.version}`);
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
