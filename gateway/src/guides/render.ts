import { Marked, type RendererObject, type Token, type Tokens } from 'marked';

/** A part of a guide below a heading, for the search. */
export interface Section {
  heading: string;
  /** The id of the heading; empty for the beginning of the guide. */
  anchor: string;
  text: string;
}

export interface Guide {
  name: string;
  title: string;
  /** The first paragraph as text. */
  summary: string;
  markdown: string;
  html: string;
  sections: Section[];
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

const languageNames: Readonly<Record<string, string>> = {
  typescript: 'TypeScript',
  sh: 'Shell',
  python: 'Python',
  json: 'JSON',
};

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

const renderer: RendererObject = {
  // A guide contains no HTML of its own.
  html: ({ text }) => escapeHtml(text),
  heading({ tokens, depth, text }) {
    return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
  },
  link({ href, tokens }) {
    const text = this.parser.parseInline(tokens);
    if (/^https?:/.test(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${text}</a>`;
    const [, name, anchor = ''] = /^([a-z-]+)\.md(#[\w-]+)?$/.exec(href) ?? [];
    // The gateway serves guides only, not the other files of the repository.
    return name ? `<a href="/docs/guides/${name}${anchor}">${text}</a>` : text;
  },
  code: ({ text, lang = '' }) => codeBlock(text, lang),
  checkbox: () => '<span aria-hidden="true">☐</span> ',
};

const codeBlock = (text: string, lang: string): string =>
  `<pre tabindex="0" data-language="${escapeHtml(lang)}"><code>${escapeHtml(text)}</code></pre>\n`;

const marked = new Marked({ renderer, async: false });

/**
 * Renders a guide. Code blocks in several languages that follow each other become one group with a
 * choice.
 */
export function renderGuide(name: string, markdown: string): Guide {
  const tokens = marked.lexer(markdown);
  const html = groupCode(tokens)
    .map((part, index) =>
      Array.isArray(part) ? languageGroup(part, `${name}-${index}`) : renderToken(part),
    )
    .join('');
  const sections = sectionsOf(tokens);
  const title = sections[0]?.heading ?? name;
  const first = tokens.find(({ type }) => type === 'paragraph');
  const summary = first ? textOf(first) : '';
  return { name, title, summary, markdown, html, sections };
}

function renderToken(token: Token): string {
  const html = marked.parser([token]);
  if (token.type !== 'table') return html;
  return `<div class="scroll" role="group" aria-label="Table" tabindex="0">${html}</div>`;
}

const isCode = (token: Token): token is Tokens.Code => token.type === 'code';

/** Puts code blocks that follow each other into one list. */
function groupCode(tokens: readonly Token[]): (Token | Tokens.Code[])[] {
  const parts: (Token | Tokens.Code[])[] = [];
  for (const token of tokens) {
    if (token.type === 'space') continue;
    const last = parts.at(-1);
    if (!isCode(token)) parts.push(token);
    else if (Array.isArray(last)) last.push(token);
    else parts.push([token]);
  }
  return parts;
}

function languageGroup(blocks: readonly Tokens.Code[], id: string): string {
  const [only, ...others] = blocks;
  if (only && others.length === 0) return codeBlock(only.text, only.lang ?? '');
  const choices = blocks.map(({ lang = '', text }, index) => {
    const own = `${id}-${lang}`;
    const checked = index === 0 ? ' checked' : '';
    return `<input type="radio" name="${id}" id="${own}" value="${lang}"${checked}>
<label for="${own}">${languageNames[lang] ?? escapeHtml(lang)}</label>
${codeBlock(text, lang)}`;
  });
  return `<div class="languages" role="group" aria-label="Language">${choices.join('')}</div>\n`;
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: Section[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const anchor = sections.length === 0 ? '' : slugOf(token.text);
      sections.push({ heading: token.text, anchor, text: '' });
    } else {
      const section = sections.at(-1);
      if (section && token.type !== 'space') section.text += `${textOf(token)} `;
    }
  }
  return sections;
}

/** The text of a token without its markup. */
const textOf = (token: Token): string =>
  (token.type === 'code' ? token.raw.replaceAll(/```\w*/g, '') : token.raw)
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\||-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
