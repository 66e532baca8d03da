import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  closedPackages,
  closedPackageUsers,
  type Layer,
  layers,
  packageTests,
  restrictedImports,
} from './layers.ts';

/**
 * An import of one file of the repository by another, types included. Paths are relative to the
 * root.
 */
export interface FileImport {
  from: string;
  to: string;
  /** The path or package name as it is written. */
  specifier: string;
}

/** A rule, with the import that violates it. For a file outside all layers, `to` is empty. */
export interface ImportViolation {
  rule: ImportRule;
  from: string;
  to: string;
}

export type ImportRule = (typeof importRuleNames)[number];

export const importRuleNames = [
  'every-file-has-a-layer',
  'no-import-of-a-higher-layer',
  'no-import-of-a-closed-package',
  'restricted-folders-import-only-these',
  'packages-import-each-other-by-name',
  'no-folder-cycles',
] as const;

const TEST = /\.test\.ts$|(?<!^tools)\/test\//;
const TESTS_WITH_LAYER = /^(tools\/(?!local-servers\/)|tests\/|load-tests\/)/;

/**
 * Validates all imports of the repository against layers.ts and looks for folders that import each
 * other.
 */
export function importViolations(
  root: string,
  files: string[],
  imports: FileImport[],
): ImportViolation[] {
  const packageOf = createPackageLookup(root);
  return [
    ...files
      .filter((file) => placeOf(file) === undefined)
      .map((from) => ({ rule: 'every-file-has-a-layer' as const, from, to: '' })),
    ...imports.flatMap((fileImport) => {
      const { from, to, specifier } = fileImport;
      const rules: ImportRule[] = [];
      if (!isInOrder(from, to)) rules.push('no-import-of-a-higher-layer');
      if (isClosedTo(from, to)) rules.push('no-import-of-a-closed-package');
      if (isRestricted(from, to)) rules.push('restricted-folders-import-only-these');
      if (specifier.startsWith('.') && packageOf(from) !== packageOf(to)) {
        rules.push('packages-import-each-other-by-name');
      }
      return rules.map((rule) => ({ rule, from, to }));
    }),
    ...folderCycles(imports),
  ];
}

/**
 * Where an entry stands: at each level of the tree its index, and whether that level is ordered.
 */
type Place = { index: number; isOrdered: boolean }[];

const places = new Map(flatten(layers, []));

function flatten(layer: Layer, place: Place): [string, Place][] {
  if (typeof layer === 'string') return [[layer, place]];
  const isOrdered = 'inOrder' in layer;
  const parts = isOrdered ? layer.inOrder : layer.apart;
  return parts.flatMap((part, index) => flatten(part, [...place, { index, isOrdered }]));
}

function placeOf(file: string): Place | undefined {
  if (isPackageTest(file)) return places.get(packageTests);
  for (let path = file; path !== '.'; path = dirname(path)) {
    const place = places.get(path);
    if (place) return place;
  }
  return undefined;
}

function isPackageTest(file: string): boolean {
  return TEST.test(file) && !TESTS_WITH_LAYER.test(file);
}

function isInOrder(from: string, to: string): boolean {
  const [upper, lower] = [placeOf(from), placeOf(to)];
  if (!upper || !lower) return true;
  const level = upper.findIndex(({ index }, depth) => index !== lower[depth]?.index);
  const [above, below] = [upper[level], lower[level]];
  return !above || !below || (above.isOrdered && above.index > below.index);
}

function isClosedTo(from: string, to: string): boolean {
  const closed = closedPackages.find((folder) => isIn(folder, to));
  if (!closed) return false;
  return ![closed, ...(closedPackageUsers[closed] ?? [])].some((folder) => isIn(folder, from));
}

function isRestricted(from: string, to: string): boolean {
  if (isPackageTest(from)) return false;
  const folder = Object.keys(restrictedImports)
    .filter((restricted) => isIn(restricted, from))
    .toSorted((one, other) => other.length - one.length)[0];
  if (!folder) return false;
  return ![folder, ...(restrictedImports[folder] ?? [])].some((allowed) => isIn(allowed, to));
}

function isIn(folder: string, file: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

function createPackageLookup(root: string): (file: string) => string {
  const cached = new Map<string, string>();
  const packageOf = (path: string): string => {
    const folder = dirname(path);
    const found =
      cached.get(folder) ??
      (folder === '.' || existsSync(join(root, folder, 'package.json'))
        ? folder
        : packageOf(folder));
    cached.set(folder, found);
    return found;
  };
  return packageOf;
}

/**
 * One violation per pair of folders that are part of a cycle, with the first import from one to the
 * other. An import between a folder and a folder inside it does not count. Tests do not count.
 */
function folderCycles(imports: FileImport[]): ImportViolation[] {
  const pairs = new Map<string, { source: string; target: string; from: string; to: string }>();
  for (const { from, to } of imports) {
    const [source, target] = [dirname(from), dirname(to)];
    if (TEST.test(from) || TEST.test(to) || isIn(source, target) || isIn(target, source)) continue;
    const key = `${source} ${target}`;
    if (!pairs.has(key)) pairs.set(key, { source, target, from, to });
  }
  const cycleOf = stronglyConnected([...pairs.values()]);
  return [...pairs.values()]
    .filter(({ source, target }) => cycleOf.get(source) === cycleOf.get(target))
    .map(({ from, to }) => ({ rule: 'no-folder-cycles', from, to }));
}

/** Tarjan's algorithm: gives every node the number of its strongly connected component. */
function stronglyConnected(edges: { source: string; target: string }[]): Map<string, number> {
  const targets = Map.groupBy(edges, ({ source }) => source);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const components = new Map<string, number>();
  const stack: string[] = [];

  const lower = (node: string, value = Number.POSITIVE_INFINITY) => {
    lowest.set(node, Math.min(lowest.get(node) ?? value, value));
  };
  const visit = (node: string) => {
    order.set(node, order.size);
    lower(node, order.get(node));
    stack.push(node);
    for (const { target } of targets.get(node) ?? []) {
      if (!order.has(target)) {
        visit(target);
        lower(node, lowest.get(target));
      } else if (!components.has(target)) {
        lower(node, order.get(target));
      }
    }
    if (lowest.get(node) !== order.get(node)) return;
    for (const member of stack.splice(stack.indexOf(node))) {
      components.set(member, order.get(node) ?? 0);
    }
  };
  for (const node of targets.keys()) if (!order.has(node)) visit(node);
  return components;
}
