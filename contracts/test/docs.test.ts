import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ABORTED, preconditionReasons, statusWords } from '../src/errors.ts';
import { apiOperations } from '../src/http/operations.ts';
import { orderStatuses, orderStatusMeanings } from '../src/http/orders.ts';
import { openApiDocument } from '../src/openapi/document.ts';
import { tagDescriptions } from '../src/openapi/tags.ts';
import type { Operation } from '../src/operation.ts';
import { composedOperations, operatorOperations } from '../src/operator/operations.ts';
import { internalUrlSetting, processNamed, topology } from '../src/topology.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const filesLike = (pattern: string) =>
  globSync(pattern, {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**', '.toolchain/**', '.data/**'],
  });

/** The cells of every table row in a text, without the table heads. */
function rowsOf(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  const isRule = (line: string | undefined) => /^[|\s:-]+$/.test(line ?? '');
  const rows = lines.filter((line, index) => !isRule(line) && !isRule(lines[index + 1]));
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

function rowsBelow(file: string, heading: string): string[][] {
  const [, part = ''] = read(file).split(`\n## ${heading}\n`);
  return rowsOf(part.split('\n## ')[0] ?? '');
}

/** The anchors of the headings of a page. */
const anchorsOf = (page: string): string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The name of the process in a folder. */
const nameOf = (folder: string): string =>
  topology.find((process) => process.folder === folder)?.name ?? '';

const unquoted = (cell = '') => cell.replaceAll('`', '');

describe('docs/errors.md', () => {
  const file = 'docs/errors.md';
  const sources = filesLike(
    '{contracts,rules,platform,gateway,services/*,console/server}/src/**/*.ts',
  ).filter((path) => !path.endsWith('.test.ts'));

  test('has exactly the existing statuses', () => {
    const listed = rowsBelow(file, 'Statuses').map(([code, word]) => `${code} ${unquoted(word)}`);
    const expected = Object.entries(statusWords).map(([code, word]) => `${code} ${word}`);
    expect(listed.toSorted()).toEqual([...expected, `409 ${ABORTED}`].toSorted());
  });

  test('has exactly the reasons of a 412, each with the services that return it', () => {
    const rows = rowsBelow(file, 'Reasons of a 412');
    const listed = Object.fromEntries(rows.map(([reason, , who]) => [unquoted(reason), who]));
    const expected = Object.keys(preconditionReasons).map((reason) => [reason, givers(reason)]);
    expect(listed).toEqual(Object.fromEntries(expected));
  });

  test('has exactly the codes that the details of a 400 can carry', () => {
    const listed = rowsBelow(file, 'Details of a 400').map(([code]) => unquoted(code));
    const used = sources.flatMap((path) =>
      [...read(path).matchAll(/\bcode: '([a-z_]+)'/g)].map(([, code]) => code ?? ''),
    );
    // The code of zod for custom checks; responses use invalid_value.
    const expected = new Set(used.filter((code) => code !== 'custom'));
    expect(listed.toSorted()).toEqual([...expected].toSorted());
  });

  function givers(reason: string): string {
    const returned = new RegExp(`preconditionFailed\\(\\s*'${reason}'`);
    const files = filesLike('{services/*,console/server,gateway}/src/errors.ts').filter((path) =>
      returned.test(read(path)),
    );
    const services = files.map((path) => nameOf(path.replace('/src/errors.ts', '')));
    return services.toSorted().join(', ') || 'nobody yet';
  }
});

test('docs/algorithms/checkout.md and the reference have the table of the statuses of an order', () => {
  const expected = orderStatuses.map((status) => {
    const { meaning, buyerMessage, isFinal } = orderStatusMeanings[status];
    return [`\`${status}\``, meaning, buyerMessage, isFinal];
  });
  expect(rowsBelow('docs/algorithms/checkout.md', 'Statuses')).toEqual(expected);
  expect(rowsOf(tagDescriptions.Orders ?? '')).toEqual(expected);
});

test('the reference says that the three names of a ticket type mean the same', () => {
  const { tags } = openApiDocument(apiOperations) as { tags: object[] };
  const description = tagDescriptions['Ticket types'] ?? '';
  expect(tags).toContainEqual({ name: 'Ticket types', description });
  for (const name of ['/ticket-types', 'registrationTypeId', 'registration_type', 'ticket_type']) {
    expect(description).toContain(`\`${name}\``);
  }
});

test('docs/operators.md lists every operator command', () => {
  const commands = rowsBelow('docs/operators.md', 'Commands').flatMap(([names]) =>
    unquoted(names).split(', '),
  );
  const all = [...operatorOperations, ...composedOperations];
  const expected = new Set(all.map(({ config }) => config.operationId));
  expect(commands.toSorted()).toEqual([...expected].toSorted());
});

describe.each(filesLike('{gateway,services/*,console/server}/README.md'))('%s', (page) => {
  const folder = dirname(page);
  const owner = nameOf(folder);

  test('lists every path and command of its own', () => {
    const isMine = ({ config }: Operation) => config.owner === owner;
    const rows = read(page).split('\n');
    const paths = apiOperations.filter(isMine).filter(({ method, url }) => {
      // A row may hold several methods of one path: `GET`, `POST /v1/events`.
      return !rows.some((row) => row.includes(` ${url}\``) && row.includes(`\`${method}`));
    });
    const commands = operatorOperations.filter(isMine);
    expect(apiOperations.filter(isMine).length + commands.length).toBeGreaterThan(0);
    const untold = [
      ...paths.map(({ method, url }) => `${method} ${url}`),
      ...commands
        .map(({ config }) => config.operationId)
        .filter((name) => !read(page).includes(name)),
    ];
    expect(untold).toEqual([]);
  });

  test('lists every setting of the process', () => {
    const own = read(`${folder}/src/config.ts`);
    const common =
      read('platform/src/core/config.ts').split('export const processSettings')[1] ?? '';
    const { servers, callsApi, callsInternal } = processNamed(owner);
    const names = [
      ...[...`${own}${common}`.matchAll(/^ +([A-Z][A-Z_]+):/gm)].map(([, name]) => name ?? ''),
      ...(servers.includes('nats') ? ['NATS_URL'] : []),
      ...callsInternal.map(internalUrlSetting),
      ...(callsApi.length > 0 ? ['<SERVICE>_URL'] : []),
    ];
    expect(names.length).toBeGreaterThan(5);
    const untold = names.filter((name) => !read(page).includes(`\`${name}\``));
    expect(untold).toEqual([]);
  });
});

describe('every page', () => {
  const pages = filesLike('**/*.md');

  test('links only to existing targets', () => {
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)#]+)/g)].map(([, target]) => ({
        page,
        target: target ?? '',
      })),
    );
    const local = links.filter(({ target }) => !target.startsWith('http'));
    expect(local.length).toBeGreaterThan(10);
    const dead = local.filter(({ page, target }) => !existsSync(join(root, dirname(page), target)));
    expect(dead).toEqual([]);
  });

  test('links only to existing headings', () => {
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)].map(([, target, anchor]) => ({
        page: target ? join(dirname(page), target) : page,
        anchor: anchor ?? '',
        from: page,
      })),
    );
    expect(links.length).toBeGreaterThan(10);
    const isThere = ({ page, anchor }: { page: string; anchor: string }) =>
      !page.endsWith('.md') || anchorsOf(read(page)).includes(anchor);
    expect(links.filter((link) => !isThere(link))).toEqual([]);
  });

  test('every decision that code or a page names exists', () => {
    const numbers = new Set(filesLike('docs/adr/0*.md').map((file) => file.slice(9, 13)));
    const sources = filesLike(
      '{clients,console,contracts,deploy,docs,gateway,identity-sandbox,load-tests,payment-sandbox,platform,services,tests,tools}/**/*.{ts,tsx,mjs,md,yaml,sql}',
    );
    const named = sources.flatMap((file) =>
      [...read(file).matchAll(/(?:ADRs? |adr\/)(0\d{3})\b/g)].map(([, number = '']) => ({
        file,
        number,
      })),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ number }) => !numbers.has(number))).toEqual([]);
  });

  test('names only existing files', () => {
    const named = pages.flatMap((page) =>
      [
        ...read(page).matchAll(/`([\w.-]+\/[\w./-]*\.(?:ts|mjs|cjs|lua|json)|[\w-]+\/[\w/-]+\/)`/g),
      ].map(([, path]) => ({ page, path: path ?? '' })),
    );
    const places = ({ page, path }: { page: string; path: string }) =>
      ['', dirname(page), join(dirname(page), 'src')].map((folder) => join(root, folder, path));
    expect(named.length).toBeGreaterThan(20);
    const missing = named.filter(
      (each) => !each.path.startsWith('.') && !places(each).some((place) => existsSync(place)),
    );
    expect(missing).toEqual([]);
  });
});
