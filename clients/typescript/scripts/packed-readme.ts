/**
 * Where a gateway serves what the README links to in the repository. Null: only the repository has
 * it.
 */
const served: Record<string, string | null> = {
  '../../docs/guides/quick-start.md': '/docs/guides/quick-start',
  '../../docs/errors.md': '/docs/errors',
  '../../docs/changes.md': '/docs/guides/keeping-a-copy',
  '../../docs/webhooks.md': '/docs/guides/webhooks',
  '../../examples/README.md': null,
};

const note = 'Paths such as `/docs/errors` are those of the gateway that serves this package.';

/**
 * The README as the package has it: a link into the repository becomes its text, with the path of
 * the gateway, and how the library is developed is left out. Errors: a link whose page is not
 * known.
 */
export function packedReadme(readme: string): string {
  const [used = ''] = readme.split(/^## Development$/m);
  const text = used.replaceAll(/\[([^\]]+)\]\((?!https?:|#)([^)]+)\)/g, (_, name, target) => {
    const path = served[target];
    if (path === undefined) throw new Error(`packed-readme.ts does not know ${target}`);
    return path === null ? name : `${name} (\`${path}\`)`;
  });
  return text.replace(/^## Install$/m, `${note}\n\n## Install`);
}
