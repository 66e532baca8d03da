import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkBoundaries } from './boundaries.ts';
import { syntaxRuleNames } from './forbidden-syntax.ts';

const importing = (path: string) => `import { it } from '${path}';\nexport const other = it;\n`;
const leaf = 'export const it = 1;\n';

/** What every rule allows; the planted files import from here. */
const allowed: Record<string, string> = {
  'contracts/src/events.ts': leaf,
  'platform/package.json': '{ "name": "@event-api/platform", "exports": { "./*": "./src/*.ts" } }',
  'platform/src/core/clock.ts': 'export const it = () => new Date();\n',
  'platform/src/core/log.ts': importing('../../contracts/src/events.ts'),
  'platform/src/db/database.ts': leaf,
  'platform/testing/harness.ts': leaf,
  'gateway/src/proxy.ts': leaf,
  'services/catalog/package.json':
    '{ "name": "@event-api/catalog", "exports": { "./*": "./src/*.ts" } }',
  'services/catalog/src/main.ts': importing('./app.ts'),
  'services/catalog/src/app.ts': importing('./events/routes.ts'),
  'services/catalog/src/config.ts': 'export const it = process.env.PORT;\n',
  'services/catalog/src/events/routes.ts': importing('./create.ts'),
  'services/catalog/src/events/create.ts':
    "import type { it as Database } from '@event-api/platform/db/database';\nimport { other } from './rules.ts';\nexport const it: typeof Database = other;\n",
  'services/catalog/src/addons/queries.ts': importing('./order-key.ts'),
  'services/catalog/src/addons/order-key.ts': importing('@event-api/platform/log'),
  'services/catalog/src/events/rules.ts': importing('../../../../contracts/src/events.ts'),
  'services/catalog/src/events/create.test.ts': importing('../app.ts'),
  'services/catalog/src/events/dates.ts': 'export const it = new Date(0);\n',
  'services/onsite/src/checkins/on-event.ts': leaf,
  'services/onsite/src/checkins/close.job.ts': leaf,
};

/** Per rule the files that break it, each in its own way. */
const planted: Record<string, Record<string, string>> = {
  'contracts-import-only-libraries': {
    'contracts/src/bad.ts': importing('../../platform/src/log.ts'),
  },
  'platform-knows-no-service': { 'platform/src/bad.ts': importing('../../gateway/src/proxy.ts') },
  'only-test-tools-know-local-servers': {
    'gateway/src/bad-local.ts': importing('../../platform/testing/harness.ts'),
  },
  'no-service-imports-another': {
    'services/onsite/src/by-path.ts': importing('../../catalog/src/events/create.ts'),
    'services/onsite/src/by-name.ts': importing('@event-api/catalog/events/create'),
    'services/onsite/src/gateway.ts': importing('../../../gateway/src/proxy.ts'),
  },
  'gateway-imports-no-service': {
    'gateway/src/bad.ts': importing('../../services/catalog/src/events/create.ts'),
  },
  'tools-import-no-service': {
    'tests/e2e/bad.test.ts': importing('../../gateway/src/proxy.ts'),
  },
  'only-main-and-tests-import-app': {
    'services/catalog/src/events/archive.ts': importing('../app.ts'),
  },
  'nobody-imports-a-process': { 'services/catalog/src/starter.ts': importing('./main.ts') },
  'only-app-imports-edges': {
    'services/catalog/src/events/publish.ts': importing('./routes.ts'),
    'services/onsite/src/checkins/check-in.ts': importing('./on-event.ts'),
    'services/onsite/src/checkins/other.ts': importing('./close.job.ts'),
  },
  'leaves-import-only-leaves': {
    'services/catalog/src/events/queries.ts': importing('./create.ts'),
    'services/catalog/src/events/event.entity.ts': importing('./create.ts'),
    'services/catalog/src/events/view.ts': importing('./create.ts'),
    'services/catalog/src/errors.ts': importing('./events/create.ts'),
  },
  'rules-import-only-rules-and-contracts': {
    'services/catalog/src/a/rules.ts':
      "import { readFileSync as it } from 'node:fs';\nexport const a = it;\n",
    'services/catalog/src/b/rules.ts': importing('@event-api/platform/log'),
    'services/catalog/src/c/rules.ts': importing('../c/thing.entity.ts'),
    'services/catalog/src/c/thing.entity.ts': leaf,
  },
  'no-cycles': {
    'services/onsite/src/one.ts': importing('./two.ts'),
    'services/onsite/src/two.ts':
      "import { other } from './one.ts';\nexport const it = () => other;\n",
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
  'rules-are-not-async': {
    'services/catalog/src/d/rules.ts': 'export async function decide() {\n  return 1;\n}\n',
  },
};

/** The file that a plant is about; the others of its rule only stand beside it. */
const beside = ['services/catalog/src/c/thing.entity.ts', 'services/onsite/src/two.ts'];

function write(root: string, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  for (const service of ['onsite', 'catalog']) {
    const scope = join(root, 'services', service, 'node_modules/@event-api');
    mkdirSync(scope, { recursive: true });
    symlinkSync(join(root, 'services/catalog'), join(scope, 'catalog'));
    symlinkSync(join(root, 'platform'), join(scope, 'platform'));
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

test('files that keep the rules are read and not reported', async () => {
  const sources = Object.keys(allowed).filter((file) => file.endsWith('.ts'));
  expect(await checkBoundaries(clean)).toEqual({ modules: sources.length, violations: [] });
});

describe.each(Object.entries(planted))('%s', (rule, files) => {
  test.each(Object.keys(files).filter((file) => !beside.includes(file)))('reports %s', (file) => {
    expect(violations).toContainEqual(expect.stringContaining(`${rule}: ${file}`));
  });
});

test('each rule there is has been broken here', () => {
  const config = createRequire(import.meta.url)('../../.dependency-cruiser.cjs');
  const names = config.forbidden.map((rule: { name: string }) => rule.name);
  expect(Object.keys(planted).sort()).toEqual([...names, ...syntaxRuleNames].sort());
});
