import { existsSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import type { ICruiseOptions, ICruiseResult, IModule, IViolation } from 'dependency-cruiser';
import { forbiddenSyntax } from './forbidden-syntax.ts';
import { type FileImport, importViolations } from './import-rules.ts';

const FOLDERS = [
  'contracts',
  'rules',
  'platform',
  'gateway',
  'services',
  'payment-sandbox',
  'identity-sandbox',
  'console',
  'clients',
  'examples',
  'tools',
  'deploy',
  'load-tests',
  'tests',
];

/** Result of the check. */
export interface BoundaryReport {
  /** Number of files that were read. 0 means that the check itself does not work. */
  modules: number;
  /** One line each: the rule's name and the import or the place that violates it. */
  violations: string[];
}

/**
 * Validates every file below `root` against .dependency-cruiser.cjs, layers.ts and
 * forbidden-syntax.ts.
 */
export async function checkBoundaries(root: string): Promise<BoundaryReport> {
  useReadableTypeScript();
  const { cruise } = await import('dependency-cruiser');
  const config = createRequire(import.meta.url)('../../.dependency-cruiser.cjs');
  const options: ICruiseOptions = {
    ...config.options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: config.forbidden },
  };
  const folders = FOLDERS.filter((folder) => existsSync(join(root, folder)));
  const { output } = await cruise(folders, options, config.options.enhancedResolveOptions);
  const { modules, summary } = output as ICruiseResult;
  const sources = modules
    .filter(({ couldNotResolve }) => !couldNotResolve)
    .map(({ source }) => source)
    .filter(isOurs);
  const ofImports = [
    ...summary.violations
      .filter((violation) => !isHarmless(violation, modules))
      .map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
    ...importViolations(root, sources, importsOf(modules)),
  ];
  return {
    modules: sources.length,
    violations: [
      ...ofImports.map(({ rule, from, to }) => `${rule}: ${from} -> ${to}`),
      ...forbiddenSyntax(root, sources),
    ],
  };
}

function isOurs(file: string): boolean {
  return /\.(tsx?|mjs)$/.test(file) && !file.includes('node_modules');
}

function importsOf(modules: IModule[]): FileImport[] {
  return modules
    .filter(({ source }) => isOurs(source))
    .flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ resolved, couldNotResolve }) => isOurs(resolved) && !couldNotResolve)
        .map(({ module, resolved }) => ({ from: source, to: resolved, specifier: module })),
    );
}

/**
 * Queries and views may share a helper (a sort key, a format). A helper imports neither the
 * database, nor a table, nor a command.
 */
function isHarmless({ rule, to }: IViolation, modules: IModule[]): boolean {
  return rule.name === 'leaves-import-only-leaves' && isHelper(to, modules);
}

function isHelper(file: string, modules: IModule[]): boolean {
  const imported = modules.find(({ source }) => source === file)?.dependencies ?? [];
  return imported.every(({ resolved }) => {
    if (/^platform\/src\/db\/|\.queries\.ts$|\.entity\.ts$/.test(resolved)) return false;
    return !/^(services|gateway|console\/server)\//.test(resolved) || isHelper(resolved, modules);
  });
}

/**
 * dependency-cruiser parses with the package `typescript`. Version 7 has no parser API, so
 * dependency-cruiser would read no imports and report nothing. Version 6 is loaded under that name.
 */
function useReadableTypeScript(): void {
  const standIn = '@typescript/typescript6';
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== 'typescript' && specifier !== 'typescript/package.json') {
        return next(specifier, context);
      }
      const name = specifier.replace('typescript', standIn);
      return next(name, { ...context, parentURL: import.meta.url });
    },
  });
}

if (import.meta.main) {
  const report = await checkBoundaries(join(import.meta.dirname, '../..'));
  for (const violation of report.violations) console.error(violation);
  console.log(`${report.modules} modules, ${report.violations.length} violations`);
  process.exit(report.modules > 0 && report.violations.length === 0 ? 0 : 1);
}
