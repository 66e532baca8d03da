// Which file may import which. Paths are relative to the root; packages of the workspace appear under their folders.
// tools/test/boundaries.ts applies these rules and those that need more than an import to be seen.

const TEST = '\\.test\\.ts$|/test/';
const UNIT = '^(services/[^/]+|gateway)/src/';
const EDGE = '^(services|gateway)/.+/(routes|routes\\.[a-z]+|on-[^/]+|[^/]+\\.job)\\.ts$';
const LEAF = '^(services|gateway)/.+/(rules|queries|errors|view|[^/]+\\.entity)\\.ts$';
const RULES = '^(services|gateway)/.+/rules\\.ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'contracts-import-only-libraries',
      comment: 'Everybody reads the contracts; they know nobody.',
      severity: 'error',
      from: { path: '^contracts/' },
      to: { path: '^(platform|gateway|services|payment-sandbox|tests|tools|deploy)/' },
    },
    {
      name: 'platform-knows-no-service',
      comment: 'Plumbing is called by services and never the other way round.',
      severity: 'error',
      from: { path: '^platform/' },
      to: { path: '^(gateway|services|tests)/|^tools/(?!local-servers/)' },
    },
    {
      name: 'only-test-tools-know-local-servers',
      comment: 'What runs in production imports neither tools nor tests.',
      severity: 'error',
      from: { path: '^(platform|gateway|services)/', pathNot: `${TEST}|^platform/testing/` },
      to: { path: '^(deploy|tools|tests)/|^platform/testing/' },
    },
    {
      name: 'no-service-imports-another',
      comment: 'A service knows another through an operation or a message of the contracts.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^(gateway|services)/', pathNot: '^services/$1/' },
    },
    {
      name: 'gateway-imports-no-service',
      comment: 'The gateway reaches services through HTTP.',
      severity: 'error',
      from: { path: '^gateway/' },
      to: { path: '^services/' },
    },
    {
      name: 'tools-import-no-service',
      comment: 'Tools and tests run services as processes, as an operator does.',
      severity: 'error',
      from: { path: '^(tests|tools|deploy|load-tests)/' },
      to: { path: '^(gateway|services)/' },
    },
    {
      name: 'only-main-and-tests-import-app',
      comment: 'app.ts is the top of a service: what needs a part of it imports that part.',
      severity: 'error',
      from: { path: UNIT, pathNot: `${TEST}|${UNIT}main\\.ts$` },
      to: { path: `${UNIT}app\\.ts$` },
    },
    {
      name: 'nobody-imports-a-process',
      comment: 'main.ts and migrate.ts run when they are imported.',
      severity: 'error',
      from: {},
      to: { path: `${UNIT}(main|migrate)\\.ts$` },
    },
    {
      name: 'only-app-imports-edges',
      comment:
        'Routes, message handlers and jobs are wired in app.ts and call verbs, never each other.',
      severity: 'error',
      from: { path: UNIT, pathNot: `${TEST}|${UNIT}app\\.ts$` },
      to: { path: EDGE },
    },
    {
      name: 'leaves-import-only-leaves',
      comment:
        'Rules, queries, entities, errors and views do not call up to verbs. (tools/test/boundaries.ts lets helpers pass.)',
      severity: 'error',
      from: { path: LEAF },
      to: { path: UNIT, pathNot: LEAF },
    },
    {
      name: 'rules-import-only-rules-and-contracts',
      comment: 'A decision gets all that it needs as arguments: no I/O, no table, no clock.',
      severity: 'error',
      from: { path: RULES },
      to: { pathNot: `^contracts/|/node_modules/zod/|${RULES}` },
    },
    {
      name: 'no-cycles',
      comment: 'Types may refer to each other; code that runs may not.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'every-import-resolves',
      comment: 'A package is used only by the packages that declare it.',
      severity: 'error',
      from: {},
      // k6 brings its own modules along; they are on no disk.
      to: { couldNotResolve: true, pathNot: '^k6(/|$)' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(\\.toolchain|\\.data)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mts', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
    },
  },
};
