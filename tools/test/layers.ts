import { type Process, type ProcessName, topology } from '@event-api/contracts/topology';

/**
 * A folder or file, a list in import order (lowest first), or parts that do not import each other.
 */
export type Layer = string | { inOrder: Layer[] } | { apart: Layer[] };

const inOrder = (...layers: Layer[]): Layer => ({ inOrder: layers });
const apart = (...layers: Layer[]): Layer => ({ apart: layers });
const under = (folder: string, names: string[]) => names.map((name) => `${folder}/${name}`);

/**
 * What `src` of a process consists of, lowest first. A process without an entry has projections
 * below all its other folders.
 */
const sourceOrder: Partial<Record<ProcessName, string[]>> = {
  catalog: [
    'patches',
    'changes',
    'lists',
    'tax-rates',
    'seat-counts',
    'events',
    'addons',
    'bundles',
    'ticket-types',
    'forms',
    'refund-policies',
    'perks',
  ],
  registration: [
    'projections',
    'seats',
    'changes',
    'registrations',
    'reservations',
    'attendees',
    'availability',
    'perks',
    'persons',
    'search',
    'badge-files',
    'badges',
    'redemption-codes',
    'limits',
    'admission',
  ],
  commerce: [
    'projections',
    'orders',
    'payments',
    'ledger',
    'settlements',
    'disputes',
    'refunds',
    'reconciliation',
    'persons',
    'search',
    'sales',
    'changes',
    'checkout',
    'claims',
    'cancellations',
    'recovery',
  ],
  onsite: [
    'projections',
    'changes',
    'program',
    'venues',
    'sessions',
    'speakers',
    'exhibitors',
    'exhibitors/booths',
    'exhibitors/roster',
    'checkins',
  ],
  changes: ['feed', 'webhooks', 'webhook-delivery'],
  gateway: [
    'business-units',
    'unit-usage',
    'rate-limit',
    'api-keys',
    'devices',
    'api-versions',
    'fairness',
    'idempotency',
    'connections',
    'responses',
    'proxy',
    'payment-notifications',
    'claims',
    'docs',
    'scanner',
    'client-package',
    'request-steps.ts',
  ],
  console: [
    'rate-limit',
    'browser',
    'owners',
    'units',
    'operators',
    'members',
    'sessions',
    'invitations',
    'passkeys',
    'sign-in',
    'forwarding',
    'audit-log',
    'exports',
    'parts',
    'live',
    'commands',
    'web',
    'cleanup',
  ],
};

/**
 * The source of a process. Every folder may import the first files; no folder imports the last
 * ones.
 */
function processLayers({ name, folder }: Process): Layer {
  const source = `${folder}/src`;
  const folders = sourceOrder[name];
  return inOrder(
    apart(...under(source, ['errors.ts', 'timeouts.ts', 'metrics.ts', 'config.ts'])),
    `${source}/deps.ts`,
    ...(folders ? under(source, folders) : [`${source}/projections`, source]),
    ...under(source, ['migrations', 'orm.ts', 'app.ts', 'start.ts']),
    apart(...under(source, ['main.ts', 'migrate.ts'])),
  );
}

/** Stands for the tests of the packages below it: `*.test.ts` and the folders `test/`. */
export const packageTests = '(package tests)';

/**
 * All files of the repository, lowest layer first. A file imports its own entry and lower ones,
 * also for types. The longest matching path decides: a folder's entry holds the files of its
 * subfolders that have no entry of their own.
 */
export const layers: Layer = inOrder(
  // What processes agree on.
  inOrder(
    'contracts/src',
    ...under('contracts/src', [
      'metrics',
      'http',
      'operator',
      'console',
      'messages',
      'internal',
      'openapi',
    ]),
    'contracts/scripts',
  ),
  // The decisions that more than one package makes.
  'rules/src',
  // The runtime of every process.
  'platform/src/core',
  'platform/src/telemetry',
  apart('platform/src/db', 'platform/src/redis'),
  'platform/src/audit',
  inOrder(
    ...under('platform/src/messaging', ['bus', 'read-after', 'changes', 'outbox', 'projections']),
    'platform/src/messaging',
  ),
  inOrder('platform/src/http', 'platform/src/http/idempotency'),
  'platform/src/service',
  // The processes, and what provisions their servers.
  apart(
    ...topology.map(processLayers),
    'payment-sandbox/src',
    'identity-sandbox/src',
    'deploy/provisioning',
    // What integrators install.
    inOrder(
      'clients/typescript/src',
      apart('clients/typescript/scripts', 'clients/mcp/src', 'examples'),
    ),
    // The browser code of the console. .dependency-cruiser.cjs keeps its pages apart.
    inOrder(
      ...under('console/web/src', ['format', 'text', 'api']),
      ...under('console/web/src/components', [
        'ui',
        'form',
        'list',
        'ledger',
        'detail',
        'chart',
        'invitations',
        'event',
      ]),
      ...under('console/web/src', ['pages', 'app', 'main.tsx']),
      'console/web/vite.config.ts',
    ),
    // The scanner at the doors.
    inOrder(
      ...under('console/scanner/src', [
        'api',
        'store',
        'scan',
        'sync',
        'text',
        'pages',
        'app.tsx',
        'shell',
        'main.tsx',
      ]),
      'console/scanner/vite.config.ts',
    ),
  ),
  'tools/local-servers',
  apart(
    'platform/testing',
    inOrder(
      'deploy',
      ...under('deploy', [
        'servers',
        'secrets',
        'compose',
        'retention',
        'kubernetes',
        'images',
        'policies',
      ]),
    ),
  ),
  packageTests,
  // Developer commands.
  inOrder(
    ...under('tools', [
      'terminal',
      'documents',
      'settings',
      'admin',
      'watch',
      'console',
      'platform',
      'release',
      'seed',
      'load',
      'admin/cli',
      'start',
      'rules',
      'timeouts',
      'cluster/plane',
      'cluster/images',
      'cluster/proofs',
      'cluster',
    ]),
    'tools/test',
    'tools/bootstrap.mjs',
  ),
  // Tests of the running platform.
  apart(
    'tests/support',
    inOrder(
      ...under('load-tests', ['scenarios/lib', 'scenarios', 'invariants', 'chart']),
      'load-tests',
    ),
  ),
  apart(
    inOrder('tests/e2e', 'tests/reports'),
    inOrder('tests/bench/load', 'tests/bench'),
    inOrder(
      ...under('tests/drills', ['history', 'hosts', 'environment', 'workload', 'faults']),
      'tests/drills',
    ),
  ),
);

/**
 * Only a package's own files import it. Other packages use its HTTP interface or start it as a
 * process.
 */
export const closedPackages = [
  ...topology.map(({ folder }) => folder),
  'payment-sandbox',
  'identity-sandbox',
];

/** Folders that may import a closed package all the same. */
export const closedPackageUsers: Record<string, string[]> = {
  'payment-sandbox': ['services/commerce/test'],
  'identity-sandbox': ['console/server/test'],
};

/** Folders that import only these folders, although the order allows more. Tests are exempt. */
export const restrictedImports: Record<string, string[]> = {
  'deploy/provisioning': [],
  'tools/local-servers': ['deploy/provisioning'],
  deploy: ['contracts', 'deploy/provisioning', 'platform/src/messaging/bus'],
};
