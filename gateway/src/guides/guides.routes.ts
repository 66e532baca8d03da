import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../responses/page-headers.ts';
import { createStaticAsset, type StaticAsset, sendAsset } from '../responses/static-asset.ts';
import { guideNames } from './contents.ts';
import { llmsText } from './llms.ts';
import { contentsPage, guidePage } from './page.ts';
import { renderGuide } from './render.ts';

const source = join(import.meta.dirname, '../../../docs/guides');
const browser = join(import.meta.dirname, 'browser');

const headers = pageHeaders(["script-src 'self'", "style-src 'self'", "connect-src 'self'"]);

const contents = '/docs/guides/';

/** Every path of the guides, without `/docs/guides`, which is redirected. */
export const guidePaths: readonly string[] = [
  contents,
  ...guideNames.flatMap((name) => [`${contents}${name}`, `${contents}${name}.md`]),
  ...['guides.css', 'guides.js', 'search.json'].map((file) => `${contents}assets/${file}`),
  '/llms.txt',
];

/**
 * `/docs/guides` and `/llms.txt`: the guides as HTML and Markdown, for everyone. The first request
 * renders them, because most gateways never serve them.
 */
export function guideRoutes(app: FastifyInstance): void {
  let loading: Promise<ReadonlyMap<string, StaticAsset>> | undefined;
  const load = () => {
    loading ??= loadAssets();
    return loading;
  };
  app.get('/docs/guides', (_request, reply) => reply.redirect(contents, 301));
  for (const path of guidePaths) {
    app.get(path, async (request, reply) => {
      const asset = (await load()).get(path) as StaticAsset;
      return sendAsset(request, reply.headers(headers), asset);
    });
  }
}

async function loadAssets(): Promise<ReadonlyMap<string, StaticAsset>> {
  const guides = await Promise.all(
    guideNames.map(async (name) =>
      renderGuide(name, await readFile(join(source, `${name}.md`), 'utf8')),
    ),
  );
  const search = guides.map(({ name, title, sections }) => ({ name, title, sections }));
  const [style, script] = await Promise.all(
    ['guides.css', 'guides.js'].map((file) => readFile(join(browser, file), 'utf8')),
  );
  const files: [path: string, type: string, text: string][] = [
    [contents, 'text/html', contentsPage(guides)],
    ...guides.flatMap((guide): [string, string, string][] => [
      [`${contents}${guide.name}`, 'text/html', guidePage(guide, guides)],
      [`${contents}${guide.name}.md`, 'text/markdown', guide.markdown],
    ]),
    [`${contents}assets/guides.css`, 'text/css', style ?? ''],
    [`${contents}assets/guides.js`, 'text/javascript', script ?? ''],
    [`${contents}assets/search.json`, 'application/json', JSON.stringify(search)],
    ['/llms.txt', 'text/plain', llmsText(guides)],
  ];
  const assets = await Promise.all(
    files.map(
      async ([path, type, text]): Promise<[string, StaticAsset]> => [
        path,
        await createStaticAsset(`${type}; charset=utf-8`, text),
      ],
    ),
  );
  return new Map(assets);
}
