import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

const MINUTE = 60_000;
const pythonGenerator = 'openapi-python-client==0.29.1';
const goGenerator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';

const document = join(import.meta.dirname, '../../contracts/openapi.json');
const scripts = join(import.meta.dirname, 'generated-clients');
const folder = mkdtempSync(join(tmpdir(), 'event-api-generated-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const execute = promisify(execFile);

/** Runs a program in a folder and returns its output. Errors: it fails, or ten minutes pass. */
async function run(
  cwd: string,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const options = { cwd, timeout: 10 * MINUTE, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await execute(program, [...args], {
    ...options,
    env: { ...process.env, ...env },
  });
  return stdout;
}

/** Runs a step that needs a program or a registry. Where there is none, the test is skipped and says why. */
async function runIfAtHand(context: TestContext, ...step: Parameters<typeof run>): Promise<string> {
  try {
    return await run(...step);
  } catch (error) {
    const [reason] = String(error).split('\n');
    return context.skip(`not at hand: ${reason}`);
  }
}

// Generating and building takes minutes.
describe.runIf(process.env.TEST_SIZE === 'full')(
  'a client that is generated from the document',
  () => {
    let platform: PlatformFixture;
    let env: { API_URL: string; API_KEY: string };
    beforeAll(async () => {
      platform = await sharedPlatform();
      const { secret } = await platform.newUnit();
      env = { API_URL: platform.baseUrl, API_KEY: secret };
    }, 10 * MINUTE);

    /** What a program prints that sells a ticket and reads two errors. */
    const seen = (name: string) => ({
      created: [name, 'draft'],
      isRead: true,
      listed: [name],
      order: ['held', 'paid', 1],
      hasBadge: true,
      missing: 404,
      invalid: ['name', 'timezone'],
    });

    test(
      'for Python is complete, is imported, and works against the platform',
      async (context) => {
        const cwd = join(folder, 'python');
        mkdirSync(cwd);
        await runIfAtHand(context, cwd, 'python3', ['-m', 'venv', 'venv']);
        const python = join(cwd, 'venv/bin/python');
        // The generator formats its code with ruff.
        const packages = [pythonGenerator, 'ruff'];
        await runIfAtHand(context, cwd, python, ['-m', 'pip', 'install', '-q', ...packages]);
        const client = join(cwd, 'client');
        const PATH = `${join(cwd, 'venv/bin')}:${process.env.PATH}`;
        const generated = await run(
          cwd,
          join(cwd, 'venv/bin/openapi-python-client'),
          [
            ...['generate', '--meta', 'none', '--path', document],
            ...['--output-path', join(client, 'event_developer_api_client')],
          ],
          { PATH },
        );
        expect(generated).not.toMatch(/warning|skipping|unable to|failure to|unsupported/i);
        const output = await run(cwd, python, [join(scripts, 'calls.py')], {
          ...env,
          PYTHONPATH: client,
        });
        expect(JSON.parse(output)).toEqual(seen('From Python'));
      },
      20 * MINUTE,
    );

    test(
      'for Go is built, and works against the platform',
      async (context) => {
        const cwd = join(folder, 'go');
        mkdirSync(join(cwd, 'eventapi'), { recursive: true });
        writeFileSync(join(cwd, 'go.mod'), 'module example.com/generated\n\ngo 1.24\n');
        cpSync(join(scripts, 'main.go'), join(cwd, 'main.go'));
        const bin = join(cwd, 'bin');
        await runIfAtHand(context, cwd, 'go', ['install', goGenerator], { GOBIN: bin });
        await run(cwd, join(bin, 'oapi-codegen'), [
          ...['-generate', 'types,client', '-package', 'eventapi'],
          ...['-o', 'eventapi/client.go', document],
        ]);
        await run(cwd, 'go', ['mod', 'tidy']);
        const output = await run(cwd, 'go', ['run', '.'], env);
        expect(JSON.parse(output)).toEqual(seen('From Go'));
      },
      20 * MINUTE,
    );
  },
);
