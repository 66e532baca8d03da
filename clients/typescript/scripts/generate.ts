import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';

const folder = join(import.meta.dirname, '..');
const document = join(folder, '../../contracts/openapi.json');

/** Where the generated code is checked in. */
export const generatedFolder = join(folder, 'src/generated');

/** Generates types and one function per operation from `contracts/openapi.json` into `path`. */
export async function generate(path: string): Promise<void> {
  const input = JSON.parse(readFileSync(document, 'utf8'));
  await createClient({
    input,
    output: { path, module: { extension: '.ts' }, entryFile: false },
    logs: { level: 'silent' },
    plugins: [
      { name: '@hey-api/client-fetch', throwOnError: true },
      '@hey-api/typescript',
      { name: '@hey-api/sdk', client: false, responseStyle: 'data' },
    ],
  });
  // A hint for applications of another framework.
  const types = join(path, 'client/types.gen.ts');
  const hint = /^ *\* Install \{@link .*\} instead\.\n/m;
  writeFileSync(types, readFileSync(types, 'utf8').replace(hint, ''));
  const runtime = join(path, 'client/client.gen.ts');
  writeFileSync(runtime, portable(readFileSync(runtime, 'utf8')));
  const version = `// The version of the API that the types describe.\nexport const apiVersion = '${input.info.version}';\n`;
  writeFileSync(join(path, 'version.gen.ts'), version);
}

/** The runtime for Node, Deno and Bun. Errors: it has no longer the places that are replaced. */
function portable(source: string): string {
  const replaced = source
    // `BodyInit` is a type of browsers only.
    .replaceAll(/as BodyInit \| null \| undefined/g, "as RequestInit['body']")
    // The client of an operation would reach `new Request`, where Deno takes it for a client of its
    // own.
    .replaceAll(
      'serializedBody: undefined as string | undefined,',
      (option) => `${option}\n      client: undefined,`,
    );
  if (!replaced.includes("as RequestInit['body']") || !replaced.includes('client: undefined')) {
    throw new Error('the generator writes another runtime');
  }
  return replaced;
}

if (import.meta.main) await generate(generatedFolder);
