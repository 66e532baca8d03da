import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../docs/guides');

/** The changes of status, as `from > to`, that the state diagrams of guides show. */
export const movesInGuides = (...names: readonly string[]): string[] =>
  names
    .flatMap((name) => [
      ...readFileSync(join(folder, `${name}.md`), 'utf8').matchAll(/^ {2}(\w+) --> (\w+):/gm),
    ])
    .map(([, from, to]) => `${from} > ${to}`)
    .toSorted();

/** The same of a lifecycle: the statuses that may follow each status. */
export const movesOf = (lifecycle: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.entries(lifecycle)
    .flatMap(([from, next]) => next.map((to) => `${from} > ${to}`))
    .toSorted();
