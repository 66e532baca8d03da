import { guideNames } from './contents.ts';

/** A file that the gateway serves at `path`. */
export interface SiteFile {
  path: string;
  contentType: string;
  text: string;
}

/** The files in `browser/`, with their types. */
export const browserFiles = {
  'docs.css': 'text/css; charset=utf-8',
  'docs.js': 'text/javascript; charset=utf-8',
  'search.js': 'text/javascript; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

/** Every path at which the documentation has a file. */
export const sitePaths: readonly string[] = [
  ...['/docs/', '/docs/errors', '/docs/guides/', '/docs/js/scalar.js', '/llms.txt'],
  ...guideNames.flatMap((name) => [`/docs/guides/${name}`, `/docs/guides/${name}.md`]),
  ...[...Object.keys(browserFiles), 'search.json'].map((name) => `/docs/assets/${name}`),
];
