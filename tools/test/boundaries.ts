import { existsSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import type { ICruiseOptions, ICruiseResult, IModule, IViolation } from 'dependency-cruiser';
import { forbiddenSyntax } from './forbidden-syntax.ts';

const FOLDERS = [
  'contracts',
  'platform',
  'gateway',
  'services',
  'payment-sandbox',
  'tools',
  'deploy',
  'load-tests',
  'tests',
];

/** What the check saw. */
export interface BoundaryReport {
  /** How many of our files it read: 0 means that it did not work, whatever else it says. */
  modules: number;
  /** One line each, with the rule's name and the file. */
  violations: string[];
}

/** Holds every file below `root` against the rules of .dependency-cruiser.cjs and of forbidden-syntax.ts. */
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
    .map(({ source }) => source)
    .filter((source) => source.endsWith('.ts') && !source.includes('node_modules'));
  return {
    modules: sources.length,
    violations: [
      ...summary.violations
        .filter((violation) => !isHarmless(violation, modules))
        .map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
      ...forbiddenSyntax(root, sources),
    ],
  };
}

/** Queries and views may share a helper (the key of an order, a format). A verb is told from it by what it imports: the
 *  database, a table, or another verb. */
function isHarmless({ rule, to }: IViolation, modules: IModule[]): boolean {
  return rule.name === 'leaves-import-only-leaves' && isHelper(to, modules);
}

function isHelper(file: string, modules: IModule[]): boolean {
  const imported = modules.find(({ source }) => source === file)?.dependencies ?? [];
  return imported.every(({ resolved }) => {
    if (/^platform\/src\/db\/|\/queries\.ts$|\.entity\.ts$/.test(resolved)) return false;
    return !/^(services|gateway)\//.test(resolved) || isHelper(resolved, modules);
  });
}

/** dependency-cruiser parses with the package `typescript`, whose version 7 has no parser to offer: it would read
 *  nothing and find nothing. Version 6 stands in under that name. */
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
