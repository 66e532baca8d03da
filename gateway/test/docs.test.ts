import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { preconditionReasons, statusWords } from '@event-api/contracts/errors';
import { apiOperations } from '@event-api/contracts/http/operations';
import { httpClient } from '@event-api/platform/testing/http-client';
import { describe, expect, test } from 'vitest';
import { guideNames } from '../src/docs/contents.ts';
import { docsPaths } from '../src/docs/docs.routes.ts';
import { createHighlight } from '../src/docs/highlight.ts';
import { type KnownWords, renderMarkdown } from '../src/docs/markdown.ts';
import { operationLink } from '../src/docs/operation-links.ts';
import { transitionsOf } from '../src/docs/state-picture.ts';
import { gateway, useGateway } from './context.ts';
import { expectEnvelope } from './raw.ts';

useGateway();

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/guides');
const read = async (path: string) => {
  const response = await fetch(new URL(path, gateway.apiUrl));
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** Every page, with its path. The other files are not HTML. */
const pages = async () => {
  const all = await Promise.all(docsPaths.map(async (path) => ({ path, page: await read(path) })));
  return all.filter(({ page }) => page.headers.get('content-type')?.startsWith('text/html'));
};

describe('the documentation', () => {
  test('links to pages, headings, operations and errors that exist', async () => {
    const operations = new Set(apiOperations.map((each) => operationLink(each).href));
    const links = new Set<string>();
    for (const { path, page } of await pages()) {
      for (const [, href = ''] of page.text.matchAll(/(?:href|src)="([^"]+)"/g)) {
        links.add(new URL(href, new URL(path, gateway.apiUrl)).href);
      }
    }
    expect(links.size).toBeGreaterThan(guideNames.length * 4);
    for (const link of links) {
      const { origin, pathname, hash } = new URL(link);
      expect(origin, link).toBe(gateway.apiUrl);
      const { status, text } = await read(pathname);
      expect(status, link).toBe(200);
      if (hash.startsWith('#tag')) expect(operations).toContain(`${pathname}${hash}`);
      else if (hash) expect(text, link).toContain(`id="${hash.slice(1)}"`);
    }
  });

  test('has one header with the same links and the search on every page', async () => {
    const headers = (await pages()).map(
      ({ page }) => /<header[\s\S]*<\/header>/.exec(page.text)?.[0] ?? '',
    );
    const unmarked = headers.map((header) => header.replace(' aria-current="page"', ''));
    expect(new Set(unmarked).size).toBe(1);
    for (const href of ['/docs/', '/docs/guides/', '/docs/errors']) {
      expect(unmarked[0]).toContain(`href="${href}"`);
    }
    expect(unmarked[0]).toContain('role="search"');
  });

  test('needs no script or style inside of a page, and its policy allows none', async () => {
    for (const { path, page } of await pages()) {
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy, path).toMatch(/^default-src 'none'; script-src 'self'; /);
      // Scalar creates styles in the browser.
      if (!['/', '/docs', '/docs/'].includes(path)) expect(policy, path).not.toContain('unsafe');
      expect(page.text, path).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
    }
  });

  test('has an icon where browsers look for one', async () => {
    const { status, headers } = await read('/favicon.ico');
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });

  test('has the colors of the console', async () => {
    const console = readFileSync(join(root, 'console/web/src/styles.css'), 'utf8');
    const [, light = '', dark = ''] = console.split(/^:root[^{]*\{/m);
    const { text } = await read('/docs/assets/docs.css');
    const pairs = [...text.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\);/g)];
    expect(pairs.length).toBeGreaterThan(10);
    for (const [, name, inLight, inDark] of pairs) {
      expect(light, name).toContain(`--${name}: ${inLight};`);
      expect(dark, name).toContain(`--${name}: ${inDark};`);
    }
  });
});

describe('the search', () => {
  interface Entry {
    title: string;
    place: string;
    href: string;
  }
  const search = async (query: string): Promise<Entry[]> => {
    const { text } = await read('/docs/assets/search.json');
    const { find } = await import(join(root, 'gateway/src/docs/browser/search.js'));
    return find(JSON.parse(text), query);
  };

  test.each([
    ['approval', '/docs/guides/applications-and-waitlists#sell-after-the-approval'],
    ['early bird', '/docs/guides/codes-add-ons-and-bundles#sell-an-early-bird'],
    ['refund', '/docs/guides/cancellations-and-changes#refund'],
    ['QR code', '/docs/guides/checkout#deliver-the-badges'],
  ])('finds %s in a guide', async (query, href) => {
    expect((await search(query)).map((entry) => entry.href)).toContain(href);
  });

  test('finds every operation by its name, its summary and its path', async () => {
    for (const operation of apiOperations) {
      const { operationId, summary, request, href } = operationLink(operation);
      const [first] = await search(operationId);
      expect(first?.href, operationId).toBe(href);
      for (const query of [summary, request]) {
        expect(
          (await search(query)).map((entry) => entry.href),
          query,
        ).toContain(href);
      }
    }
  });

  test('finds every status, code and reason of an error', async () => {
    for (const name of [...Object.values(statusWords), ...Object.keys(preconditionReasons)]) {
      const [first] = await search(name);
      expect(first, name).toMatchObject({ place: 'Error' });
      expect(first?.title.toUpperCase()).toBe(name);
    }
    expect((await search('unknown_field'))[0]?.href).toBe('/docs/errors#unknown_field');
  });

  test('finds nothing for a word that no page has', async () => {
    expect(await search('approval zzzz')).toEqual([]);
    expect(await search('  ')).toEqual([]);
  });

  test('prefers a word in a title to one in a text, and the beginning of a word to its middle', async () => {
    const { find } = await import(join(root, 'gateway/src/docs/browser/search.js'));
    const entry = (title: string, text: string) => ({ name: '', title, text });
    const entries = [entry('a', 'prefund'), entry('b', 'a refund'), entry('the refund', '')];
    const titles = find(entries, 'Refund').map(({ title }: Entry) => title);
    expect(titles).toEqual(['the refund', 'b', 'a']);
  });
});

describe('the guides', () => {
  test('are exactly the files of docs/guides', () => {
    const files = readdirSync(folder).map((file) => file.replace('.md', ''));
    expect([...guideNames].toSorted()).toEqual(files.toSorted());
  });

  test.each(guideNames)(
    '%s is served as a page, and as the Markdown that it was written in',
    async (name) => {
      const page = await read(`/docs/guides/${name}`);
      const source = await read(`/docs/guides/${name}.md`);
      expect([page.status, source.status]).toEqual([200, 200]);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(source.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(source.text).toBe(readFileSync(join(folder, `${name}.md`), 'utf8'));
      const [, title = ''] = /^# (.+)$/m.exec(source.text) ?? [];
      expect(page.text).toContain(`>${title}</h1>`);
    },
  );

  test('are linked from the reference and from llms.txt', async () => {
    const { body } = await httpClient(gateway.apiUrl)('GET', '/openapi.json');
    expect(body.info.description).toContain('](/docs/guides/)');
    const { text } = await read('/llms.txt');
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    expect(links).toEqual(
      expect.arrayContaining(guideNames.map((name) => `/docs/guides/${name}.md`)),
    );
    expect(links).toContain('/openapi.json');
    for (const link of links) expect((await read(link)).status, link).toBe(200);
  });

  test('redirect from the path without the slash, reject other methods, and serve no other files', async () => {
    const response = await fetch(new URL('/docs/guides', gateway.apiUrl));
    expect([response.status, new URL(response.url).pathname]).toEqual([200, '/docs/guides/']);
    const stranger = httpClient(gateway.apiUrl);
    for (const path of ['/docs/guides', '/docs/guides/checkout', '/llms.txt']) {
      const rejected = await stranger('POST', path);
      expectEnvelope(rejected, 405);
      expect(rejected.headers.allow).toBe('GET, HEAD');
    }
    for (const path of ['/docs/guides/nothing', '/docs/guides/..%2ferrors.md']) {
      expectEnvelope(await stranger('GET', path), 404);
    }
  });

  test('can be cached', async () => {
    const { headers } = await read('/docs/guides/checkout');
    const etag = headers.get('etag') ?? '';
    const again = await fetch(new URL('/docs/guides/checkout', gateway.apiUrl), {
      headers: { 'if-none-match': etag },
    });
    expect(again.status).toBe(304);
  });
});

describe('a rendered document', () => {
  const nothing: KnownWords = {
    highlight: (code) => code.replaceAll('<', '&#60;'),
    operations: new Map(),
    errors: new Map(),
  };

  test('contains no HTML of its own', () => {
    const { html } = renderMarkdown(
      'x',
      '# A <b>\n\n<script>alert(1)</script>\n\nText <img onerror="x"> `<i>`\n',
      nothing,
    );
    expect(html).not.toMatch(/<script|<img|<b>|<i>/);
  });

  test('links to guides only, not to files that the gateway does not serve', () => {
    const markdown = '[a](checkout.md#wait) [b](../errors.md) [c](https://a.example)';
    const { html } = renderMarkdown('x', markdown, nothing);
    expect(html).toContain(
      '<a href="/docs/guides/checkout#wait">a</a> b <a href="https://a.example"',
    );
  });

  test('links the name of an operation to the reference, in a text and below its calls', () => {
    const [operation] = apiOperations.map(operationLink);
    const { operationId = '', href = '' } = operation ?? {};
    const operations = new Map(operation ? [[operationId, operation]] : []);
    const block = `\`\`\`typescript\nawait ${operationId}({ client });\n\`\`\``;
    const render = (text: string) => renderMarkdown('x', text, { ...nothing, operations }).html;
    expect(render(`Use \`${operationId}\``)).toContain(`<a href="${href}"><code>`);
    expect(render(block)).toMatch(/Open in reference:<\/span> <a href="[^"]+">List events<\/a>/);
    expect(render('```sh\ncurl\n```')).not.toContain('Open in reference');
  });

  test('offers a choice between blocks in several languages that follow each other', () => {
    const block = (language: string) => `\`\`\`${language}\n${language}\n\`\`\`\n\n`;
    const markdown = `${block('sh')}${block('python')}text\n\n${block('sh')}`;
    const { html } = renderMarkdown('x', markdown, nothing);
    expect([...html.matchAll(/type="radio"/g)]).toHaveLength(2);
    expect(html).toMatch(/value="sh" checked>/);
    expect([...html.matchAll(/<pre /g)]).toHaveLength(3);
  });

  test('has a section for the search for each heading', () => {
    const { sections, title, summary } = renderMarkdown(
      'x',
      '# Title\n\nA `b` [c](d.md).\n\n## `Two`\n\ntext\n',
      nothing,
    );
    expect({ title, summary }).toEqual({ title: 'Title', summary: 'A b c.' });
    expect(sections).toEqual([
      { heading: 'Title', anchor: '', text: 'A b c. ' },
      { heading: 'Two', anchor: 'two', text: 'text ' },
    ]);
  });
});

describe('highlighted code', () => {
  const unescaped = (html: string) =>
    html
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

  test('has the text of the source, in every block of every guide', async () => {
    const highlight = await createHighlight();
    let blocks = 0;
    for (const name of guideNames) {
      const markdown = readFileSync(join(folder, `${name}.md`), 'utf8');
      for (const [, language = '', code = ''] of markdown.matchAll(
        /^```(\w+)\n([\s\S]*?)\n```$/gm,
      )) {
        const html = highlight(code, language);
        expect(unescaped(html), name).toBe(code);
        if (language !== 'mermaid') expect(html, name).toContain('<span class="token-');
        blocks++;
      }
    }
    expect(blocks).toBeGreaterThan(60);
  });

  test('has a color in the style sheet for each of its classes', async () => {
    const { text: style } = await read('/docs/assets/docs.css');
    const used = (await pages()).flatMap(({ page }) => page.text.match(/token-[\w-]+/g) ?? []);
    const classes = [...new Set(used)];
    expect(classes.length).toBeGreaterThan(4);
    for (const name of classes.filter((each) => each !== 'token-punctuation')) {
      expect(style).toContain(`.${name}`);
    }
  });
});

describe('a picture of statuses', () => {
  test('has every status and every label, and no source text', async () => {
    const sources = guideNames.flatMap((name) => {
      const markdown = readFileSync(join(folder, `${name}.md`), 'utf8');
      const diagrams = [...markdown.matchAll(/^```mermaid\n([\s\S]*?)^```$/gm)];
      return diagrams.map(([, source = '']) => ({ name, source }));
    });
    expect(sources.length).toBeGreaterThan(4);
    for (const { name, source } of sources) {
      const { text } = await read(`/docs/guides/${name}`);
      expect(text, name).not.toContain('stateDiagram');
      const transitions = transitionsOf(source);
      // The first line names the kind of the diagram.
      expect(transitions).toHaveLength(source.trim().split('\n').length - 1);
      for (const { to, label } of transitions) {
        expect(text, name).toMatch(new RegExp(`<text class="name"[^>]*>${to}<`));
        const [word = ''] = label.split(' ');
        expect(text, name).toMatch(new RegExp(`<text class="label"[^>]*>[^<]*${word}`));
      }
    }
  });
});
