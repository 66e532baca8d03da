import type { ErrorEntry } from './error-names.ts';
import type { MarkdownDocument } from './markdown.ts';
import type { OperationLink } from './operation-links.ts';

/** What the search can find. `browser/search.js` reads it. */
export interface SearchEntry {
  /** The name in code of an operation or an error; empty for a section. */
  name: string;
  title: string;
  /** Where the reader gets: the guide, the section of the reference, or the errors. */
  place: string;
  href: string;
  /** Further words. */
  text: string;
}

export const searchIndex = (found: {
  guides: readonly MarkdownDocument[];
  operations: readonly OperationLink[];
  errors: readonly ErrorEntry[];
}): SearchEntry[] => [
  ...found.guides.flatMap(({ name, title, sections }) =>
    sections.map(({ heading, anchor, text }) => ({
      name: '',
      title: heading,
      place: anchor ? `Guide: ${title}` : 'Guide',
      href: `/docs/guides/${name}${anchor && `#${anchor}`}`,
      text,
    })),
  ),
  ...found.operations.map(({ operationId, summary, description, tag, request, href }) => ({
    name: operationId,
    title: summary,
    place: `Reference: ${tag}`,
    href,
    text: `${operationId} ${request} ${plain(description)}`,
  })),
  ...found.errors.map(({ name, meaning, href }) => ({
    name,
    title: name,
    place: 'Error',
    href,
    text: plain(meaning),
  })),
];

const plain = (markdown: string): string => markdown.replaceAll('`', '');
