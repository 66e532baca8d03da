import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync(join(import.meta.dirname, '../../../docs/runbook.md'), 'utf8');

/** The operator commands that a section of the runbook names, in their order, each once in a row. */
export function commandsOfSection(title: string): string[] {
  const [, rest = ''] = page.split(`### ${title}\n`);
  const [section = ''] = rest.split(/^### /m);
  const commands = [...section.matchAll(/npm run -s admin -- ([a-z]+\.[a-zA-Z]+)/g)].map(
    ([, name = '']) => name,
  );
  return commands.filter((name, n) => name !== commands[n - 1]);
}
