import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guidesText } from './guides.ts';

const folder = new URL('../../../../docs/guides/', import.meta.url);

test.each(Object.keys(guidesText.titles))('the guide %s exists', (guide) => {
  const [name, section] = guide.split('#');
  const headings = readFileSync(new URL(`${name}.md`, folder), 'utf8').matchAll(/^#+ (.+)$/gm);
  const anchors = [...headings].map(([, text]) => text?.toLowerCase().replaceAll(' ', '-'));
  expect(anchors.length).toBeGreaterThan(1);
  if (section !== undefined) expect(anchors).toContain(section);
});
