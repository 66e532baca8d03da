import { execFile, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  createClient,
  createEvent,
  createRegistration,
  createTicketType,
  updateTicketType,
} from '@event-api/client';
import { setForm } from '@event-api/contracts/operator/forms';
import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { freePort } from '@event-api/local-servers/ports';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { userEnvironment } from './user-environment.ts';

const root = join(import.meta.dirname, '../..');
const names = readdirSync(join(root, 'docs/guides'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.replace('.md', ''));
const guides = new Map(
  [
    ...names.map((name) => [name, `docs/guides/${name}.md`] as const),
    ['readme', 'README.md'] as const,
  ].map(([name, file]) => [name, readFileSync(join(root, file), 'utf8')]),
);
const standsAlone = ['quick-start', 'readme'];

const languages = {
  typescript: { file: 'ts', command: [process.execPath], isHere: true },
  sh: {
    file: 'sh',
    command: ['bash', '-euo', 'pipefail'],
    isHere: ['bash', 'curl', 'jq'].every((program) => has(program)),
  },
  python: { file: 'py', command: ['python3'], isHere: has('python3') },
} as const;
type Language = keyof typeof languages;

function has(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

const blocksOf = (markdown: string, language: string): string[] =>
  [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, lang]) => lang === language)
    .map(([, , code = '']) => code);

/** What the guide says that its code prints, in order. */
const promisesOf = (code: string): string[] =>
  [...code.matchAll(/(?:\/\/|#) prints (.+)$/gm)].map(([, line = '']) => line);

const setupOf = (language: Language) =>
  blocksOf(guides.get('quick-start') ?? '', language)[0] ?? '';

/**
 * All code of a guide in one language as one program, or null. It begins with what the quick start
 * sets up.
 */
function programOf(name: string, language: Language): string | null {
  const blocks = blocksOf(guides.get(name) ?? '', language);
  if (blocks.length === 0) return null;
  return [...(standsAlone.includes(name) ? [] : [setupOf(language)]), ...blocks].join('\n');
}

/** The shell commands of the README start and test this repository; `start.test.ts` covers them. */
const languagesOf = (name: string): Language[] =>
  name === 'readme' ? ['typescript'] : (Object.keys(languages) as Language[]);

const programs = [...guides.keys()].flatMap((name) =>
  languagesOf(name).flatMap((language) => {
    const code = programOf(name, language);
    return code === null ? [] : [{ name, language, code }];
  }),
);

/** Whether a log line has the level of a warning or an error. */
const isWarning = (line: string): boolean => /"level":"(warn|error|fatal)"/.test(line);

let platform: PlatformFixture;
let folder: string;
beforeAll(async () => {
  platform = await sharedPlatform();
  folder = mkdtempSync(join(inject('runFolder'), 'guides-'));
  symlinkSync(join(root, 'examples/node_modules'), join(folder, 'node_modules'));
  const cli = join(root, 'clients/typescript/src/cli/main.ts');
  mkdirSync(join(folder, 'bin'));
  writeFileSync(
    join(folder, 'bin/event-api'),
    `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`,
    { mode: 0o755 },
  );
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const { name, language, code } of programs) {
    writeFileSync(join(folder, `${name}.${languages[language].file}`), code);
  }
});

/** A business unit with what the guides name: an event and a ticket type of each kind. */
async function createSetting(): Promise<NodeJS.ProcessEnv> {
  const { secret, unitId } = await platform.newUnit({ rateLimitPerMinute: 100_000 });
  const client = createClient({ baseUrl: platform.baseUrl, apiKey: secret });
  const event = await createEvent({ client, body: { name: 'Guide', timezone: 'UTC' } });
  const path = { eventId: event.id };
  const create = async (body: { name: string; capacity: number; priceAmount?: number }) => {
    const { id } = await createTicketType({ client, path, body });
    await updateTicketType({ client, path: { ...path, typeId: id }, body: { status: 'open' } });
    return id;
  };
  const [paid, free, full] = await Promise.all([
    create({ name: 'Paid', capacity: 50, priceAmount: 1500 }),
    create({ name: 'Free', capacity: 50 }),
    create({ name: 'Full', capacity: 1 }),
  ]);
  const body = { email: 'first@example.com', registrationTypeId: full };
  await createRegistration({ client, path, body });
  const scope = { businessUnitId: unitId, eventId: event.id };
  const question = { id: 'diet', label: 'Diet', required: false };
  await platform.operator.call(setForm, {
    ...scope,
    questions: [{ ...question, type: 'choice', options: ['none', 'vegan'] }],
  });
  const text = 'Full refund until a week before the event';
  const bands = [{ daysBeforeStart: 14, percent: 80, fixedFee: 200 }];
  await platform.operator.call(setRefundPolicy, { ...scope, text, bands, automatic: true });
  const port = await freePort();
  return {
    ...{ EVENT_API_URL: platform.baseUrl, EVENT_API_KEY: secret, EVENT_ID: event.id },
    ...{ TYPE_ID: paid, FREE_TYPE_ID: free, FULL_TYPE_ID: full },
    ...{ PORT: String(port), WEBHOOK_URL: `http://localhost:${port}/webhooks` },
    ...userEnvironment(),
    PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
    HOME: folder,
  };
}

async function run(name: string, language: Language): Promise<string> {
  const { command, file } = languages[language];
  const [program = '', ...args] = command;
  const env = await createSetting();
  return new Promise((resolve, reject) => {
    const options = { env, cwd: folder, timeout: 60_000 };
    execFile(
      program,
      [...args, join(folder, `${name}.${file}`)],
      options,
      (error, stdout, stderr) =>
        error ? reject(new Error(`${stdout}\n${stderr}`, { cause: error })) : resolve(stdout),
    );
  });
}

describe.concurrent('the code of a guide prints what the guide says', () => {
  for (const { name, language, code } of programs) {
    test.skipIf(!languages[language].isHere)(`${name}, ${language}`, async ({ expect }) => {
      const promised = promisesOf(code);
      const linesBefore = platform.logLines().length;
      const printed = (await run(name, language)).split('\n').map((line) => line.trim());
      const inOrder = printed.filter((line) => promised.includes(line));
      expect(promised.length, printed.join('\n')).toBeGreaterThan(0);
      // The cause of a wrong response is in the log of the platform only.
      const warnings = platform.logLines().slice(linesBefore).filter(isWarning);
      expect(inOrder, [...printed, ...warnings].join('\n')).toEqual(promised);
    });
  }
});

test('the compiler accepts the TypeScript of all guides', () => {
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(root, 'node_modules/@types')], noUnusedLocals: false },
    include: ['*.ts'],
    exclude: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

test('every block is in a language that is tested, and JSON is valid', () => {
  const known = [...Object.keys(languages), 'json', 'mermaid'];
  for (const [name, markdown] of guides) {
    const marked = [...markdown.matchAll(/^```(\w+)$/gm)].map(([, language]) => language);
    expect(known, name).toEqual(expect.arrayContaining(marked));
    for (const block of blocksOf(markdown, 'json')) expect(() => JSON.parse(block)).not.toThrow();
  }
});
