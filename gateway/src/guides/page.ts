import { escapeHtml, type Guide } from './render.ts';

/**
 * The page of a guide. All scripts and styles are files of their own, so the policy of the page
 * allows no others.
 */
export const guidePage = (guide: Guide, all: readonly Guide[]): string => {
  const index = all.indexOf(guide);
  const [previous, next] = [all[index - 1], all[index + 1]];
  return layout({
    title: guide.title,
    navigation: navigationOf(all, guide),
    main: `${guide.html}
<nav class="turn" aria-label="Next and previous guide">
${previous ? `<a rel="prev" href="/docs/guides/${previous.name}">← ${escapeHtml(previous.title)}</a>` : '<span></span>'}
${next ? `<a rel="next" href="/docs/guides/${next.name}">${escapeHtml(next.title)} →</a>` : ''}
</nav>
<p class="source"><a href="/docs/guides/${guide.name}.md">This page as Markdown</a></p>`,
  });
};

/** The table of contents. */
export const contentsPage = (all: readonly Guide[]): string =>
  layout({
    title: 'Guides',
    navigation: navigationOf(all, null),
    main: `<h1>Guides</h1>
<p>How to use the Event Developer API, and how to run an event in the console. The <a href="/docs/">reference</a> describes every operation.</p>
<ul class="cards">${all
      .map(
        ({ name, title, summary }) =>
          `<li><a href="/docs/guides/${name}"><strong>${escapeHtml(title)}</strong></a> <span>${escapeHtml(summary)}</span></li>`,
      )
      .join('\n')}</ul>`,
  });

const navigationOf = (all: readonly Guide[], current: Guide | null): string =>
  all
    .map((guide) => {
      const mark = guide === current ? ' aria-current="page"' : '';
      return `<li><a href="/docs/guides/${guide.name}"${mark}>${escapeHtml(guide.title)}</a></li>`;
    })
    .join('\n');

const layout = (page: {
  title: string;
  navigation: string;
  main: string;
}): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} · Event Developer API</title>
<link rel="stylesheet" href="/docs/guides/assets/guides.css">
<script type="module" src="/docs/guides/assets/guides.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="/docs/guides/">Event Developer API</a>
<form role="search" hidden>
<input type="search" aria-label="Search the guides" placeholder="Search" autocomplete="off">
<ul aria-live="polite"></ul>
</form>
<a href="/docs/">Reference</a>
</header>
<div class="columns">
<main id="content">
${page.main}
</main>
<nav id="guides" aria-label="Guides">
<h2>Guides</h2>
<ul>
${page.navigation}
</ul>
<h2>More</h2>
<ul>
<li><a href="/docs/">Reference of the operations</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/llms.txt">llms.txt</a></li>
</ul>
</nav>
</div>
</body>
</html>
`;
