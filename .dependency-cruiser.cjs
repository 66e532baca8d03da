// Rules for imports by the kind of the file. The order of folders is in tools/test/layers.ts, rules for syntax are in
// tools/test/forbidden-syntax.ts; tools/test/boundaries.ts applies all of them. Paths are relative to the root; packages of
// the workspace appear under their folders.

const TEST = '\\.test\\.ts$|/test/';
const UNIT = '^(services/[^/]+|gateway|console/server)/src/';
const EDGE =
  '^(services|gateway|console/server)/.+(\\.routes|\\.routes\\.internal|\\.routes\\.operator|\\.job|/on-[a-z-]+)\\.ts$';
const LEAF =
  '^(services|gateway|console/server)/.+(/errors|\\.rules|\\.queries|\\.view|\\.entity)\\.ts$';
const RULES = '^(services|gateway|console/server)/.+\\.rules\\.ts$|^rules/src/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'only-main-and-tests-import-app',
      comment:
        'app.ts is the top of a process, start.ts wires one that is no service. Other files import the part that they need.',
      severity: 'error',
      from: { path: UNIT, pathNot: `${TEST}|${UNIT}(main|start)\\.ts$` },
      to: { path: `${UNIT}(app|start)\\.ts$` },
    },
    {
      name: 'no-import-of-an-entry-point',
      comment: 'main.ts and migrate.ts run when they are imported.',
      severity: 'error',
      from: {},
      to: { path: `${UNIT}(main|migrate)\\.ts$` },
    },
    {
      name: 'only-app-imports-edges',
      comment: 'Routes and jobs are registered in app.ts. They call commands, never each other.',
      severity: 'error',
      from: { path: UNIT, pathNot: `${TEST}|${UNIT}app\\.ts$` },
      to: { path: EDGE },
    },
    {
      name: 'leaves-import-only-leaves',
      comment:
        'Rules, queries, entities, errors and views do not call commands. (tools/test/boundaries.ts allows helpers.)',
      severity: 'error',
      from: { path: LEAF },
      to: { path: UNIT, pathNot: LEAF },
    },
    {
      name: 'rules-import-only-rules-and-contracts',
      comment: 'A decision depends on its arguments only: no I/O, no table, no clock.',
      severity: 'error',
      from: { path: RULES, pathNot: TEST },
      to: { pathNot: `^contracts/|/node_modules/zod/|/src/timeouts[.]ts$|${RULES}` },
    },
    {
      name: 'pages-are-independent',
      comment: 'A page of the console imports components, never another page.',
      severity: 'error',
      from: { path: '^console/web/src/pages/([^/]+)/' },
      to: { path: '^console/web/src/pages/', pathNot: '^console/web/src/pages/$1/' },
    },
    {
      name: 'no-cycles',
      comment: 'Files do not import each other, not even types.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'every-import-resolves',
      comment: 'A package declares every package that it imports.',
      severity: 'error',
      from: {},
      // k6 provides these modules at run time. Vite gives an import with `?url` the address of the file.
      to: { couldNotResolve: true, pathNot: '^k6(/|$)|[?]url$' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: '(^|/)(\\.toolchain|\\.data|clients/[^/]+/(src/generated/(client|core)|dist))/',
    },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
    },
  },
};
