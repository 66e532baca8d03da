import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { guideNames } from './contents.ts';
import { errorEntries } from './error-names.ts';
import { createHighlight } from './highlight.ts';
import { contentsPage, errorsPage, guidePage, referencePage } from './layout.ts';
import { llmsText } from './llms.ts';
import { type KnownWords, type MarkdownDocument, renderMarkdown } from './markdown.ts';
import type { OperationLink } from './operation-links.ts';
import { scalarScript } from './scalar-script.ts';
import { searchIndex } from './search-index.ts';
import { browserFiles, type SiteFile } from './site-paths.ts';

const documents = join(import.meta.dirname, '../../../docs');
const browser = join(import.meta.dirname, 'browser');

const html = 'text/html; charset=utf-8';
/** Renders every page and reads every file. It takes seconds and many objects. */
export async function buildSite(operations: readonly OperationLink[]): Promise<SiteFile[]> {
  const errorsText = await readFile(join(documents, 'errors.md'), 'utf8');
  const errors = errorEntries(errorsText);
  const known: KnownWords = {
    highlight: await createHighlight(),
    operations: new Map(operations.map((each) => [each.operationId, each])),
    // A word such as `required` has other meanings, too.
    errors: new Map(
      errors.filter(({ name }) => /[A-Z_]/.test(name)).map(({ name, href }) => [name, href]),
    ),
  };
  const guides = await Promise.all(
    guideNames.map(async (name) =>
      renderMarkdown(name, await readFile(join(documents, `guides/${name}.md`), 'utf8'), known),
    ),
  );
  const index = searchIndex({ guides, operations, errors });
  return [
    { path: '/docs/guides/', contentType: html, text: contentsPage(guides) },
    { path: '/docs/', contentType: html, text: referencePage(guides) },
    {
      path: '/docs/errors',
      contentType: html,
      text: errorsPage(renderMarkdown('errors', errorsText, known), guides),
    },
    ...guides.flatMap((guide) => guideFiles(guide, guides)),
    ...(await Promise.all(Object.entries(browserFiles).map(readAsset))),
    {
      path: '/docs/assets/search.json',
      contentType: 'application/json; charset=utf-8',
      text: JSON.stringify(index),
    },
    {
      path: '/docs/js/scalar.js',
      contentType: 'application/javascript; charset=utf-8',
      text: await scalarScript(),
    },
    { path: '/llms.txt', contentType: 'text/plain; charset=utf-8', text: llmsText(guides) },
  ];
}

const guideFiles = (guide: MarkdownDocument, all: readonly MarkdownDocument[]): SiteFile[] => {
  const path = `/docs/guides/${guide.name}`;
  return [
    { path, contentType: html, text: guidePage(guide, all) },
    { path: `${path}.md`, contentType: 'text/markdown; charset=utf-8', text: guide.markdown },
  ];
};

async function readAsset([name, contentType]: [name: string, type: string]): Promise<SiteFile> {
  const text = await readFile(join(browser, name), 'utf8');
  return { path: `/docs/assets/${name}`, contentType, text };
}
