import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { type Document, fieldsOf } from './document.ts';
import { operationsOf } from './operations.ts';

const folder = join(import.meta.dirname, '..');
const document = join(folder, '../../contracts/openapi.json');

const csvRule = join(folder, '../../rules/src/csv-line.ts');

/** Where the generated code is checked in. */
export const generatedFolder = join(folder, 'src/generated');

/** Generates types, one function per operation and their list from `contracts/openapi.json` into `path`. */
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
  const functions = join(path, 'sdk.gen.ts');
  writeFileSync(functions, checked(readFileSync(functions, 'utf8'), input));
  writeFileSync(join(path, 'operations.gen.ts'), operationList(input));
  // The console exports by the same rule. The package has no dependencies, so it gets a copy.
  cpSync(csvRule, join(path, 'csv-line.gen.ts'));
  const version = `// The version of the API that the types describe.\nexport const apiVersion = '${input.info.version}';\n`;
  writeFileSync(join(path, 'version.gen.ts'), version);
}

/** Lets each function check the fields of its success. Errors: the generator writes other code. */
function checked(source: string, document: Document): string {
  let method = '';
  let count = 0;
  const lines = source.split('\n').flatMap((line) => {
    method = /options\.client\.(\w+)</.exec(line)?.[1] ?? method;
    const [, path] = /^ {4}url: '([^']+)',$/.exec(line) ?? [];
    if (path === undefined) return line;
    count += 1;
    const operation = document.paths[path]?.[method];
    const fields = operation ? fieldsOf(document, operation) : null;
    return fields ? [`    responseValidator: hasFields(${JSON.stringify(fields)}),`, line] : line;
  });
  if (count !== Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length) {
    throw new Error('the generator writes other functions');
  }
  return lines
    .join('\n')
    .replace('import type { Client,', "import { hasFields } from '../check-response.ts';\n$&");
}

/** One operation per line. */
const operationList = (document: Document): string =>
  [
    "import type { Operation } from '../operation.ts';",
    '',
    '/** All operations of the API, in the order of the reference. */',
    'export const operations: readonly Operation[] = [',
    ...operationsOf(document).map((operation) => `  ${JSON.stringify(operation)},`),
    '];\n',
  ].join('\n');

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
