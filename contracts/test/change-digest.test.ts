import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import vectorFile from '../change-digest-vectors.json' with { type: 'json' };
import { firstDigest, nextDigest } from '../src/http/change-digest.ts';
import { Change } from '../src/http/changes.ts';

const { epoch, vectors } = vectorFile;
const guide = readFileSync(join(import.meta.dirname, '../../docs/changes.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'event-api-digest-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The code block of the guide in a language. */
function codeOf(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(guide) ?? [];
  if (!code) throw new Error(`the guide has no code in ${language}`);
  return code;
}

/** Runs a program and returns the lines that it prints. */
function linesOf(command: string, file: string, source: string): string[] {
  const path = join(folder, file);
  writeFileSync(path, source);
  const { stdout, stderr, status } = spawnSync(command, [path], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout.trim().split('\n');
}

const expected = [vectorFile.firstDigest, ...vectors.map(({ digest }) => digest)];

describe('the test vectors', () => {
  test('are changes of the contract', () => {
    for (const { change } of vectors) expect(Change.parse(change)).toEqual(change);
    expect(vectors).toHaveLength(10);
  });

  test('match the digests that the service computes', () => {
    let digest = firstDigest(epoch);
    const digests = [digest];
    for (const { change } of vectors) {
      digest = nextDigest(digest, Change.parse(change));
      digests.push(digest);
    }
    expect(digests).toEqual(expected);
  });
});

describe('the code of the guide computes the digests of the test vectors', () => {
  const changes = JSON.stringify(vectors.map(({ change }) => change));

  test('in TypeScript', () => {
    const source = `${codeOf('typescript')}
let digest = firstDigest(${JSON.stringify(epoch)});
console.log(digest);
for (const change of ${changes}) console.log((digest = nextDigest(digest, change)));`;
    expect(linesOf(process.execPath, 'digest.ts', source)).toEqual(expected);
  });

  const hasPython = spawnSync('python3', ['--version']).status === 0;
  test.skipIf(!hasPython)('in Python', () => {
    const source = `import json
${codeOf('python')}
digest = first_digest(${JSON.stringify(epoch)})
print(digest)
for change in json.loads(${JSON.stringify(changes)}):
    digest = next_digest(digest, change)
    print(digest)`;
    expect(linesOf('python3', 'digest.py', source)).toEqual(expected);
  });
});
