import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpClient } from '@event-api/platform/testing/http-client';
import { describe, expect, test } from 'vitest';
import { guideNames } from '../src/guides/contents.ts';
import { guidePaths } from '../src/guides/guides.routes.ts';
import { renderGuide } from '../src/guides/render.ts';
import { gateway, useGateway } from './context.ts';
import { expectEnvelope } from './raw.ts';

useGateway();

const folder = join(import.meta.dirname, '../../docs/guides');
const read = async (path: string) => {
  const response = await fetch(new URL(path, gateway.apiUrl));
  return { status: response.status, headers: response.headers, text: await response.text() };
};

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

  test('link to pages and headings that exist, and to the reference', async () => {
    const pages = guidePaths.filter((path) => !/\.(css|js|json)$/.test(path));
    const links = new Set<string>();
    for (const path of pages) {
      const { text } = await read(path);
      for (const [, href = ''] of text.matchAll(/(?:href|src)="([^"]+)"/g)) {
        links.add(new URL(href, new URL(path, gateway.apiUrl)).href);
      }
      if (path.endsWith('.md') || path.endsWith('.txt')) continue;
      expect(text, path).toContain('href="/docs/"');
    }
    expect(links.size).toBeGreaterThan(guideNames.length * 2);
    for (const link of links) {
      const { origin, pathname, hash } = new URL(link);
      expect(origin, link).toBe(gateway.apiUrl);
      const { status, text } = await read(pathname);
      expect(status, link).toBe(200);
      if (hash) expect(text, link).toContain(`id="${hash.slice(1)}"`);
    }
  });

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

  test('need no script or style inside of a page, and their policy allows none', async () => {
    for (const path of guidePaths) {
      const { headers, text } = await read(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy, path).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toContain('unsafe');
      if (!headers.get('content-type')?.startsWith('text/html')) continue;
      expect(text, path).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
    }
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

describe('a rendered guide', () => {
  test('contains no HTML of its own', () => {
    const { html } = renderGuide(
      'x',
      '# A <b>\n\n<script>alert(1)</script>\n\nText <img onerror="x">\n\n```sh\necho "<&>"\n```\n',
    );
    expect(html).not.toMatch(/<script|<img|<b>/);
    expect(html).toContain('echo &#34;&#60;&#38;&#62;&#34;');
  });

  test('links to guides only, not to files that the gateway does not serve', () => {
    const { html } = renderGuide(
      'x',
      '[a](checkout.md#wait) [b](../errors.md) [c](https://a.example)',
    );
    expect(html).toContain(
      '<a href="/docs/guides/checkout#wait">a</a> b <a href="https://a.example"',
    );
  });

  test('offers a choice between blocks in several languages that follow each other', () => {
    const block = (language: string) => `\`\`\`${language}\n${language}\n\`\`\`\n\n`;
    const { html } = renderGuide('x', `${block('sh')}${block('python')}text\n\n${block('sh')}`);
    expect([...html.matchAll(/type="radio"/g)]).toHaveLength(2);
    expect(html).toMatch(/value="sh" checked>/);
    expect([...html.matchAll(/<pre /g)]).toHaveLength(3);
  });

  test('has a section for the search for each heading', () => {
    const { sections, title, summary } = renderGuide(
      'x',
      '# Title\n\nA `b` [c](d.md).\n\n## Two\n\ntext\n',
    );
    expect({ title, summary }).toEqual({ title: 'Title', summary: 'A b c.' });
    expect(sections).toEqual([
      { heading: 'Title', anchor: '', text: 'A b c. ' },
      { heading: 'Two', anchor: 'two', text: 'text ' },
    ]);
  });
});
