import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codesText } from './codes.ts';
import { guidesText } from './guides.ts';

const folder = new URL('../../../../docs/guides/', import.meta.url);

test.each(Object.keys(guidesText.titles))('the guide %s exists', (guide) => {
  const [name, section] = guide.split('#');
  const headings = readFileSync(new URL(`${name}.md`, folder), 'utf8').matchAll(/^#+ (.+)$/gm);
  const anchors = [...headings].map(([, text]) => text?.toLowerCase().replaceAll(' ', '-'));
  expect(anchors.length).toBeGreaterThan(1);
  if (section !== undefined) expect(anchors).toContain(section);
});

test('the guide for operators names what the console and the scanner show, word by word', () => {
  const root = new URL('../../../../', import.meta.url);
  const files = globSync('console/{web,scanner}/src/text/*.ts', { cwd: root.pathname });
  const words = files.flatMap((file) =>
    [...readFileSync(new URL(file, root), 'utf8').matchAll(/'([^'\n]+)'/g)].map(([, text]) => text),
  );
  const guide = readFileSync(new URL('running-an-event.md', folder), 'utf8');
  const named = [...guide.matchAll(/\*\*([^*]+)\*\*/g)].map(([, text = '']) =>
    text.replace(/\s+/g, ' '),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((text) => !words.includes(text))).toEqual([codesText.createButton(1)]);
});
