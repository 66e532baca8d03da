import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { subjects } from './subjects.ts';
import { titlesOf } from './titles.ts';

const root = join(import.meta.dirname, '../..');
const [wanted = ''] = process.argv.slice(2);

/**
 * Prints the titles of all tests by subject, or those whose subject, path or title contains the
 * argument.
 */
for (const { title, files } of grouped()) {
  const entries = files.flatMap((file) => {
    const titles = titlesOf(file, readFileSync(join(root, file), 'utf8')).filter((each) =>
      `${title}\n${file}\n${each}`.toLowerCase().includes(wanted.toLowerCase()),
    );
    return titles.length > 0 ? [`\n${file}`, ...titles.map((each) => `  ${each}`)] : [];
  });
  if (entries.length > 0)
    console.log(`${['', title, '='.repeat(title.length), ...entries].join('\n')}`);
}

function grouped(): { title: string; files: string[] }[] {
  const files = globSync('**/*.test.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**', '.toolchain/**', '.data/**'],
  }).toSorted();
  const subjectOf = (file: string) => subjects.find((each) => each.files.test(file))?.title;
  return [...subjects.map(({ title }) => title), undefined].map((title) => ({
    title: title ?? 'This repository',
    files: files.filter((file) => subjectOf(file) === title),
  }));
}
