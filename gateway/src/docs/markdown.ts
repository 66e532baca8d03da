import { Marked, type RendererObject, type Token, type Tokens } from 'marked';
import { errorNameOf } from './error-names.ts';
import type { Highlight } from './highlight.ts';
import { escapeHtml, slugOf } from './html.ts';
import type { OperationLink } from './operation-links.ts';
import { statePicture } from './state-picture.ts';

/** A part of a document below a heading. */
export interface Section {
  heading: string;
  /** The id of the heading; empty for the beginning of the document. */
  anchor: string;
  text: string;
}

export interface MarkdownDocument {
  name: string;
  title: string;
  /** The first paragraph as text. */
  summary: string;
  markdown: string;
  html: string;
  sections: Section[];
}

/** What a document can refer to by a word in code. */
export interface KnownWords {
  highlight: Highlight;
  /** By their ids. */
  operations: ReadonlyMap<string, OperationLink>;
  /** The addresses of the statuses, codes and reasons of errors. */
  errors: ReadonlyMap<string, string>;
}

const languageNames: Readonly<Record<string, string>> = {
  typescript: 'TypeScript',
  sh: 'Shell',
  python: 'Python',
  json: 'JSON',
};

/**
 * Renders a document. Code blocks in several languages that follow each other become one group with
 * a choice. Names of operations and of errors become links.
 */
export function renderMarkdown(
  name: string,
  markdown: string,
  known: KnownWords,
): MarkdownDocument {
  const marked = new Marked({ renderer: rendererOf(known), async: false });
  const tokens = marked.lexer(markdown);
  const html = groupCode(tokens)
    .map((part, index) => {
      const id = `${name}-${index}`;
      if (Array.isArray(part)) return codeGroup(part, id, known);
      return part.type === 'table' ? scrollable(marked.parser([part])) : marked.parser([part]);
    })
    .join('');
  const sections = sectionsOf(tokens);
  const title = sections[0]?.heading ?? name;
  const first = tokens.find(({ type }) => type === 'paragraph');
  const summary = first ? textOf(first) : '';
  return { name, title, summary, markdown, html, sections };
}

const rendererOf = ({ operations, errors }: KnownWords): RendererObject => ({
  // A document contains no HTML of its own.
  html: ({ text }) => escapeHtml(text),
  heading({ tokens, depth, text }) {
    return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
  },
  link({ href, tokens }) {
    const text = this.parser.parseInline(tokens);
    if (/^https?:/.test(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${text}</a>`;
    const [, name, anchor = ''] = /^([a-z-]+)\.md(#[\w-]+)?$/.exec(href) ?? [];
    // The gateway does not serve the other files of the repository.
    return name ? `<a href="/docs/guides/${name}${anchor}">${text}</a>` : text;
  },
  codespan({ text }) {
    // A long name may break after an underscore.
    const code = `<code>${escapeHtml(text).replaceAll('_', '_<wbr>')}</code>`;
    const href = operations.get(text)?.href ?? errors.get(text);
    return href ? `<a href="${escapeHtml(href)}">${code}</a>` : code;
  },
  checkbox: () => '<span aria-hidden="true">☐</span> ',
  table({ header, rows }) {
    const cell = (tag: string, { tokens }: Tokens.TableCell) =>
      `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
    const body = rows.map(
      (row) => `<tr${idOf(row, errors)}>${row.map((each) => cell('td', each)).join('')}</tr>`,
    );
    const head = header.map((each) => cell('th', each)).join('');
    return `<table><thead><tr>${head}</tr></thead>\n<tbody>${body.join('\n')}</tbody></table>\n`;
  },
});

/** The row that explains an error is where links to the error lead. */
function idOf(row: readonly Tokens.TableCell[], errors: ReadonlyMap<string, string>): string {
  const name = errorNameOf(row);
  return name !== undefined && errors.has(name) ? ` id="${name}"` : '';
}

const scrollable = (html: string): string =>
  `<div class="scroll" role="group" aria-label="Table" tabindex="0">${html}</div>`;

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

function codeGroup(blocks: readonly Tokens.Code[], id: string, known: KnownWords): string {
  const [only, ...others] = blocks;
  if (!only) return '';
  if (only.lang === 'mermaid') return statePicture(only.text, id);
  const group = others.length === 0 ? singleBlock(only, known) : languageChoice(blocks, id, known);
  return `<div class="code">${group}${callsOf(blocks, known)}</div>\n`;
}

const singleBlock = (block: Tokens.Code, known: KnownWords): string =>
  `<span class="language">${nameOf(block)}</span>\n${codeBlock(block, known)}`;

const languageChoice = (blocks: readonly Tokens.Code[], id: string, known: KnownWords): string =>
  `<div class="languages" role="group" aria-label="Language">${blocks
    .map((block, index) => {
      const { lang = '' } = block;
      const own = `${id}-${lang}`;
      const checked = index === 0 ? ' checked' : '';
      return `<input type="radio" name="${id}" id="${own}" value="${lang}"${checked}>
<label for="${own}">${nameOf(block)}</label>
${codeBlock(block, known)}`;
    })
    .join('')}</div>`;

const nameOf = ({ lang = '' }: Tokens.Code): string => languageNames[lang] ?? escapeHtml(lang);

const codeBlock = ({ text, lang = '' }: Tokens.Code, { highlight }: KnownWords): string =>
  `<pre tabindex="0" data-language="${escapeHtml(lang)}"><code>${highlight(text, lang)}</code></pre>\n`;

/** Links to the operations that the code calls. The client library has them as functions. */
function callsOf(blocks: readonly Tokens.Code[], { operations }: KnownWords): string {
  const words = blocks.flatMap(({ text }) => text.match(/\b[a-z]\w+\b(?=\(|, \{)/g) ?? []);
  const links = [...new Set(words)].flatMap((word) => {
    const operation = operations.get(word);
    if (!operation) return [];
    return [`<a href="${escapeHtml(operation.href)}">${escapeHtml(operation.summary)}</a>`];
  });
  if (links.length === 0) return '';
  return `<p class="calls"><span>Open in reference:</span> ${links.join(' ')}</p>`;
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: Section[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const anchor = sections.length === 0 ? '' : slugOf(token.text);
      sections.push({ heading: plainText(token.text), anchor, text: '' });
    } else {
      const section = sections.at(-1);
      const isPicture = isCode(token) && token.lang === 'mermaid';
      if (section && token.type !== 'space' && !isPicture) section.text += `${textOf(token)} `;
    }
  }
  return sections;
}

const textOf = (token: Token): string =>
  plainText(token.type === 'code' ? token.raw.replaceAll(/```\w*/g, '') : token.raw);

/** Markdown without its markup. */
const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\||-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
