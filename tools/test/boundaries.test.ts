import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkBoundaries } from './boundaries.ts';
import { syntaxRuleNames } from './forbidden-syntax.ts';
import { importRuleNames } from './import-rules.ts';

const importing = (path: string) => `import { it } from '${path}';\nexport const other = it;\n`;
const importingType = (path: string) =>
  `import type { it } from '${path}';\nexport type Other = typeof it;\n`;
const leaf = 'export const it = 1;\n';

const packages: Record<string, string> = {
  contracts: './src/*.ts',
  rules: './src/*.ts',
  platform: './src/*.ts',
  gateway: './src/*.ts',
  'payment-sandbox': './src/*.ts',
  'services/catalog': './src/*.ts',
  'services/commerce': './src/*.ts',
  'services/onsite': './src/*.ts',
  'deploy/provisioning': './*.ts',
  'tools/local-servers': './*.ts',
  'load-tests': './*.ts',
  'tests/e2e': './*.ts',
  'tests/drills': './*.ts',
  tools: './*.ts',
};

/** A tree without violations. The planted files import from it. */
const allowed: Record<string, string> = {
  'contracts/src/ids.ts': leaf,
  'contracts/src/http/events.ts': importing('../ids.ts'),
  'contracts/src/operator/events.ts': importing('../http/events.ts'),
  'rules/src/may-call.ts': importing('@event-api/contracts/http/events'),
  'platform/src/core/clock.ts': 'export const it = () => new Date();\n',
  'platform/src/core/log.ts': importing('@event-api/contracts/ids'),
  'platform/src/telemetry/metrics.ts': importing('../core/log.ts'),
  'platform/src/redis/connect.ts': leaf,
  'platform/src/db/database.ts': leaf,
  'platform/src/messaging/outbox/emit.ts': importingType('../../db/database.ts'),
  'platform/src/messaging/messaging.ts': importing('./outbox/emit.ts'),
  'platform/src/http/server.ts': leaf,
  'platform/src/service/run-process.ts': importing('../http/server.ts'),
  'platform/testing/harness.ts': importing('@event-api/local-servers/ports'),
  'platform/test/harness.test.ts': importing('../testing/harness.ts'),
  'deploy/provisioning/keys.ts': leaf,
  'deploy/compose/init.ts': importing('@event-api/provisioning/keys'),
  'deploy/test/init.test.ts': importing('@event-api/local-servers/ports'),
  'tools/local-servers/ports.ts': importing('@event-api/provisioning/keys'),
  'services/catalog/src/timeouts.ts': 'export const timeouts = { readMs: 250 };\n',
  'tools/settings/settings.ts': leaf,
  'tools/admin/client.ts': importing('../settings/settings.ts'),
  'load-tests/run.ts': importing('@event-api/tools/admin/client'),
  'tests/e2e/journey.test.ts': importing('@event-api/load-tests/run'),
  'tests/drills/history/journal.ts': leaf,
  'tests/drills/faults/kill.ts': importing('../history/journal.ts'),
  'gateway/src/proxy/proxy.ts': leaf,
  'payment-sandbox/src/sandbox.ts': leaf,
  'services/commerce/test/payments.test.ts': importing('@event-api/payment-sandbox/sandbox'),
  'services/catalog/src/main.ts': importing('./app.ts'),
  'services/catalog/src/app.ts': importing('./events/events.routes.ts'),
  'services/catalog/src/config.ts': 'export const it = process.env.PORT;\n',
  'services/catalog/src/events/events.routes.ts': importing('./create.ts'),
  'services/catalog/src/events/create.ts':
    "import type { it as Database } from '@event-api/platform/db/database';\nimport { other } from './events.rules.ts';\nexport const it: typeof Database = other;\n",
  'services/catalog/src/addons/addons.queries.ts': importing('./sort-key.ts'),
  'services/catalog/src/addons/sort-key.ts': importing('@event-api/platform/core/log'),
  'services/catalog/src/events/events.rules.ts': importing('@event-api/contracts/http/events'),
  'services/catalog/src/events/create.test.ts': importing('../app.ts'),
  'services/catalog/src/events/dates.ts': 'export const it = new Date(0);\n',
  'services/onsite/src/orm.ts': leaf,
  'services/onsite/src/checkins/on-event.ts': leaf,
  'services/onsite/src/checkins/close.job.ts': leaf,
  'services/onsite/src/checkins/doors.ts': importing('./lists/list.ts'),
  'services/onsite/src/checkins/lists/list.ts': leaf,
  'services/onsite/src/checkins/lists/filter.ts': importing('../fallback.ts'),
  'services/onsite/src/checkins/fallback.ts': leaf,
};

/** For each rule, files that violate it in different ways. */
const planted: Record<string, Record<string, string>> = {
  'every-file-has-a-layer': {
    'platform/src/helper.ts': leaf,
    'services/catalog/src/bazaar/list.ts': leaf,
  },
  'no-import-of-a-higher-layer': {
    'contracts/src/runtime.ts': importing('@event-api/platform/core/log'),
    'contracts/src/http/operator.ts': importing('../operator/events.ts'),
    'contracts/src/http/caller.ts': importing('@event-api/rules/may-call'),
    'rules/src/log.ts': importing('@event-api/platform/core/log'),
    'platform/src/core/metrics.ts': importing('../telemetry/metrics.ts'),
    'platform/src/db/redis.ts': importing('../redis/connect.ts'),
    'platform/src/redis/database.ts': importing('../db/database.ts'),
    'platform/src/db/outbox.ts': importingType('../messaging/outbox/emit.ts'),
    'platform/src/messaging/outbox/start.ts': importing('../messaging.ts'),
    'platform/src/http/signals.ts': importing('../service/run-process.ts'),
    'platform/src/http/harness.ts': importing('../../testing/harness.ts'),
    'gateway/src/proxy/harness.ts': importing('../../../platform/testing/harness.ts'),
    'gateway/src/proxy/ports.ts': importing('@event-api/local-servers/ports'),
    'gateway/src/proxy/keys.ts': importing('@event-api/provisioning/keys'),
    'services/catalog/src/events/addons.ts': importing('../addons/sort-key.ts'),
    'services/catalog/src/errors.ts': importing('./config.ts'),
    'services/catalog/src/timeouts.ts': importing('./events/create.ts'),
    'services/onsite/src/projections/doors.ts': importing('../checkins/doors.ts'),
    'services/onsite/src/checkins/wiring.ts': importing('../orm.ts'),
    'tools/settings/client.ts': importing('../admin/client.ts'),
    'tools/admin/load.ts': importing('@event-api/load-tests/run'),
    'load-tests/journey.ts': importing('@event-api/e2e/journey.test'),
    'tests/e2e/kill.test.ts': importing('@event-api/drills/faults/kill'),
    'tests/drills/history/kill.ts': importing('../faults/kill.ts'),
  },
  'no-import-of-a-closed-package': {
    'services/onsite/src/checkins/by-name.ts': importing('@event-api/catalog/events/create'),
    'services/onsite/src/checkins/gateway.ts': importing('@event-api/gateway/proxy/proxy'),
    'services/catalog/test/sandbox.test.ts': importing('@event-api/payment-sandbox/sandbox'),
    'gateway/src/proxy/catalog.ts': importing('@event-api/catalog/events/create'),
    'platform/src/core/gateway.ts': importing('@event-api/gateway/proxy/proxy'),
    'tools/admin/catalog.ts': importing('@event-api/catalog/events/create'),
    'tests/e2e/gateway.test.ts': importing('@event-api/gateway/proxy/proxy'),
  },
  'restricted-folders-import-only-these': {
    'deploy/provisioning/ids.ts': importing('@event-api/contracts/ids'),
    'tools/local-servers/ids.ts': importing('@event-api/contracts/ids'),
    'deploy/compose/log.ts': importing('@event-api/platform/core/log'),
  },
  'packages-import-each-other-by-name': {
    'platform/src/core/ids.ts': importing('../../../contracts/src/ids.ts'),
    'services/onsite/src/checkins/by-path.ts': importing('../../../catalog/src/events/create.ts'),
    'tools/admin/ports.ts': importing('../local-servers/ports.ts'),
    'tests/e2e/client.test.ts': importing('../../tools/admin/client.ts'),
  },
  'no-folder-cycles': {
    'services/onsite/src/checkins/a/one.ts': importing('../b/two.ts'),
    'services/onsite/src/checkins/b/two.ts': leaf,
    'services/onsite/src/checkins/b/three.ts': importingType('../c/four.ts'),
    'services/onsite/src/checkins/c/four.ts': importingType('../a/five.ts'),
    'services/onsite/src/checkins/a/five.ts': leaf,
  },
  'only-main-and-tests-import-app': {
    'services/catalog/src/events/archive.ts': importing('../app.ts'),
  },
  'no-import-of-an-entry-point': { 'services/catalog/src/starter.ts': importing('./main.ts') },
  'only-app-imports-edges': {
    'services/catalog/src/events/publish.ts': importing('./events.routes.ts'),
    'services/onsite/src/checkins/check-in.ts': importing('./on-event.ts'),
    'services/onsite/src/checkins/other.ts': importing('./close.job.ts'),
  },
  'leaves-import-only-leaves': {
    'services/catalog/src/events/events.queries.ts': importing('./create.ts'),
    'services/catalog/src/events/event.entity.ts': importing('./create.ts'),
    'services/catalog/src/events/events.view.ts': importing('./create.ts'),
  },
  'rules-import-only-rules-and-contracts': {
    'services/catalog/src/a/a.rules.ts':
      "import { readFileSync as it } from 'node:fs';\nexport const a = it;\n",
    'services/catalog/src/b/b.rules.ts': importing('@event-api/platform/core/log'),
    'services/catalog/src/c/c.rules.ts': importing('../c/thing.entity.ts'),
    'services/catalog/src/c/thing.entity.ts': leaf,
    'rules/src/files.ts': "import { readFileSync as it } from 'node:fs';\nexport const a = it;\n",
  },
  'pages-are-independent': {
    'console/web/src/pages/orders/page.tsx': importing('../people/page.tsx'),
    'console/web/src/pages/people/page.tsx': leaf,
  },
  'no-cycles': {
    'services/onsite/src/checkins/one.ts': importing('./two.ts'),
    'services/onsite/src/checkins/two.ts':
      "import type { other } from './one.ts';\nexport const it = () => 1 as typeof other;\n",
  },
  'every-import-resolves': { 'contracts/src/missing.ts': importing('not-a-package') },
  'environment-only-in-config': {
    'gateway/src/env.ts': "export const it = process.env['HOME'];\n",
    'gateway/src/env2.ts': 'export const { env } = process;\n',
    'gateway/src/env3.ts': "import { env } from 'node:process';\nexport const it = env;\n",
  },
  'time-only-from-the-clock': {
    'services/catalog/src/now.ts': 'export const it = () => Date.now();\n',
    'services/catalog/src/now2.ts': 'export const it = () => new Date();\n',
  },
  'timeouts-in-their-file': {
    'services/catalog/src/lists/wait.ts': 'const timeoutMs = 250;\nexport const it = timeoutMs;\n',
  },
  'texts-in-the-catalog': {
    'console/web/src/pages/texts/page.tsx': 'export const it = () => <p>Save all</p>;\n',
  },
  'rules-are-not-async': {
    'services/catalog/src/d/d.rules.ts': 'export async function decide() {\n  return 1;\n}\n',
    'rules/src/ask.ts': 'export async function decide() {\n  return 1;\n}\n',
  },
  'main-has-at-most-25-lines': {
    'services/commerce/src/main.ts': `export const it = 1;\n${'\n'.repeat(24)}export const other = it;\n`,
  },
};

/** Planted files that other planted files import. They violate nothing. */
const beside = [
  'console/web/src/pages/people/page.tsx',
  'services/catalog/src/c/thing.entity.ts',
  'services/onsite/src/checkins/two.ts',
  'services/onsite/src/checkins/b/two.ts',
  'services/onsite/src/checkins/a/five.ts',
];

function write(root: string, files: Record<string, string>): void {
  const scope = join(root, 'node_modules/@event-api');
  mkdirSync(scope, { recursive: true });
  for (const [path, exported] of Object.entries(packages)) {
    const name = `@event-api/${basename(path)}`;
    mkdirSync(join(root, path), { recursive: true });
    writeFileSync(
      join(root, path, 'package.json'),
      JSON.stringify({ name, exports: { './*': exported } }),
    );
    symlinkSync(join(root, path), join(scope, basename(path)));
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'boundaries-')));
const clean = join(folder, 'clean');
const broken = join(folder, 'broken');
let violations: string[];

beforeAll(async () => {
  write(clean, allowed);
  write(broken, Object.assign({}, allowed, ...Object.values(planted)));
  violations = (await checkBoundaries(broken)).violations;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('reads every file and reports none of an allowed tree', async () => {
  const modules = Object.keys(allowed).length;
  expect(await checkBoundaries(clean)).toEqual({ modules, violations: [] });
});

describe.each(Object.entries(planted))('%s', (rule, files) => {
  test.each(Object.keys(files).filter((file) => !beside.includes(file)))('reports %s', (file) => {
    expect(violations).toContainEqual(expect.stringContaining(`${rule}: ${file}`));
  });
});

test('every rule has a planted violation', () => {
  const config = createRequire(import.meta.url)('../../.dependency-cruiser.cjs');
  const names = config.forbidden.map((rule: { name: string }) => rule.name);
  const rules = [...names, ...importRuleNames, ...syntaxRuleNames];
  expect(Object.keys(planted).sort()).toEqual(rules.sort());
});
