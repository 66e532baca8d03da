import { guideGroups } from './contents.ts';
import { escapeHtml } from './html.ts';
import type { MarkdownDocument } from './markdown.ts';

/** The page of a guide. */
export const guidePage = (guide: MarkdownDocument, all: readonly MarkdownDocument[]): string => {
  const index = all.indexOf(guide);
  const [previous, next] = [all[index - 1], all[index + 1]];
  return documentPage({
    document: guide,
    path: pathOf(guide),
    all,
    after: `<nav class="turn" aria-label="Next and previous guide">
${previous ? `<a rel="prev" href="${pathOf(previous)}">← ${escapeHtml(previous.title)}</a>` : '<span></span>'}
${next ? `<a rel="next" href="${pathOf(next)}">${escapeHtml(next.title)} →</a>` : ''}
</nav>
<p class="source"><a href="${pathOf(guide)}.md">This page as Markdown</a></p>`,
  });
};

export const errorsPage = (errors: MarkdownDocument, all: readonly MarkdownDocument[]): string =>
  documentPage({ document: errors, path: '/docs/errors', all, after: '' });

/** The first page: every guide with its summary. */
export const contentsPage = (all: readonly MarkdownDocument[]): string =>
  layout({
    title: 'Guides',
    path: '/docs/guides/',
    all,
    body: `<main id="content" class="prose">
<h1>Guides</h1>
<p>How to use the Event Developer API, and how to run an event in the console. The <a href="/docs/">reference</a> describes every operation, and <a href="/docs/errors">errors</a> every refusal.</p>
${inGroups(all, (title, guides) => `<h2>${title}</h2>\n<ul class="cards">${guides.map(cardOf).join('\n')}</ul>`)}
</main>`,
  });

/** The frame of the interactive reference, which `browser/reference.js` fills. */
export const referencePage = (all: readonly MarkdownDocument[]): string =>
  layout({
    title: 'Reference',
    path: '/docs/',
    all,
    head: `<script defer src="/docs/js/scalar.js"></script>
<script type="module" src="/docs/assets/reference.js"></script>
`,
    body: `<main id="content" tabindex="-1"><div id="reference"></div>
<noscript><p>The reference needs a script. <a href="/openapi.json">The OpenAPI document</a> says the same.</p></noscript></main>`,
  });

const pathOf = ({ name }: MarkdownDocument): string => `/docs/guides/${name}`;

const cardOf = (guide: MarkdownDocument): string =>
  `<li><a href="${pathOf(guide)}"><strong>${escapeHtml(guide.title)}</strong></a> <span>${escapeHtml(guide.summary)}</span></li>`;

const documentPage = ({
  document,
  after,
  ...page
}: {
  document: MarkdownDocument;
  path: string;
  all: readonly MarkdownDocument[];
  after: string;
}): string =>
  layout({
    ...page,
    title: document.title,
    body: `${headingsOf(document)}
<main id="content" class="prose">
${document.html}${after}
</main>`,
  });

/** From this number of headings on, a page has a list of them. */
const manyHeadings = 4;

function headingsOf({ sections }: MarkdownDocument): string {
  const [, ...rest] = sections;
  if (rest.length < manyHeadings) return '';
  const links = rest.map(
    ({ heading, anchor }) => `<li><a href="#${anchor}">${escapeHtml(heading)}</a></li>`,
  );
  return `<nav class="headings" aria-label="On this page"><details>
<summary>On this page</summary>
<ul>${links.join('\n')}</ul>
</details></nav>`;
}

const inGroups = (
  all: readonly MarkdownDocument[],
  write: (title: string, guides: MarkdownDocument[]) => string,
): string =>
  guideGroups
    .map(({ title, names }) =>
      write(
        title,
        names.flatMap((name) => all.filter((guide) => guide.name === name)),
      ),
    )
    .join('\n');

/** The parts of the documentation. */
const parts = [
  { href: '/docs/guides/', title: 'Guides' },
  { href: '/docs/', title: 'Reference' },
  { href: '/docs/errors', title: 'Errors' },
] as const;

/** All scripts and styles are files of their own, so that the policy of a page allows no others. */
function layout(page: {
  title: string;
  path: string;
  all: readonly MarkdownDocument[];
  body: string;
  head?: string;
}): string {
  const { title, path, all, body, head = '' } = page;
  const part = path.startsWith('/docs/guides/') ? '/docs/guides/' : path;
  const link = (href: string, text: string, current: string) =>
    `<a href="${href}"${href === current ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a>`;
  const partLinks = parts.map((each) => link(each.href, each.title, part));
  const items = (links: readonly string[]) =>
    `<ul>${links.map((each) => `<li>${each}</li>`).join('\n')}</ul>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Event Developer API</title>
<link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/assets/docs.css">
<script type="module" src="/docs/assets/docs.js"></script>
${head}</head>
<body${part === '/docs/' ? ' class="wide"' : ''}>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<button class="open-menu" type="button" popovertarget="menu">Menu</button>
<a class="home" href="/docs/guides/"><img src="/docs/assets/icon.svg" alt="" width="24" height="24"> <span>Event Developer API</span></a>
<nav class="parts" aria-label="Documentation">${partLinks.join('\n')}</nav>
<form role="search" hidden>
<input type="search" aria-label="Search guides, reference and errors" placeholder="Search" autocomplete="off" aria-keyshortcuts="/">
<div class="found" hidden><p role="status"></p><ul></ul></div>
</form>
</header>
<div class="columns">
<nav id="menu" class="menu" popover aria-label="Menu">
<div class="menu-parts">${items(partLinks)}</div>
${inGroups(all, (heading, guides) => `<h2>${heading}</h2>\n${items(guides.map((guide) => link(pathOf(guide), guide.title, path)))}`)}
<h2>For programs</h2>
${items([link('/openapi.json', 'OpenAPI document', path), link('/llms.txt', 'llms.txt', path)])}
</nav>
${body}
</div>
</body>
</html>
`;
}
