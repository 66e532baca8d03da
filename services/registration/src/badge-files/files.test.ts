import { readPdf, readSvgCodes } from '@event-api/platform/testing/badges';
import { describe, expect, test } from 'vitest';
import type { Badge } from './badge.ts';
import { openFonts } from './fonts.ts';
import { createLayout } from './layout.ts';
import { createPdf } from './pdf.ts';
import { drawSvg } from './svg.ts';

const fonts = openFonts();
const layout = createLayout(fonts);

const badge: Badge = {
  eventName: 'Spring Summit',
  name: 'Ada Lovelace',
  company: 'Analytical Engines',
  ticketTypeName: 'Standard',
  checkinCode: 'CHK-7D2M9QK4X1T8VBNA',
};

const drawPdf = (badges: readonly Badge[]): Promise<Buffer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const pdf = createPdf({ fonts, layout }, 'Spring Summit', {
      onBytes: (bytes) => chunks.push(bytes),
      onEnd: () => resolve(Buffer.concat(chunks)),
    });
    for (const one of badges) pdf.add(one);
    pdf.end();
  });

/** Names that are hard to draw. */
const names = [
  'W'.repeat(200),
  'עמר בן־חמו (12)',
  'محمد عبد الله',
  '王小明 さくら 김철수',
  'Ada 👩‍💻🇩🇪 ❤️',
  'শেখ হাসিনা',
  '\u{1F9FF}\u{E0067}\u{10FFFF}\uFFFF',
  `e${'\u0301'.repeat(199)}`,
  '\u200B',
];

describe('the SVG of a badge', () => {
  test('has a QR code that readers decode to the badge code', async () => {
    expect(await readSvgCodes(drawSvg(badge, layout))).toEqual([badge.checkinCode]);
  });

  test('contains no markup of names, event names, ticket types and companies', () => {
    const markup = '"><script>alert(1)</script><!-- & \u0000\uFFFE';
    const svg = drawSvg(
      {
        eventName: markup,
        name: markup,
        company: markup,
        ticketTypeName: markup,
        checkinCode: 'C',
      },
      layout,
    );
    const elements = new Set([...svg.matchAll(/<\/?([a-zA-Z]+)/g)].map(([, name]) => name));
    expect(elements).toEqual(new Set(['svg', 'title', 'rect', 'clipPath', 'g', 'path']));
    expect(svg).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- &amp;');
    expect(svg).not.toContain('\u0000');
    expect(svg).not.toContain('\uFFFE');
  });

  test('escapes characters that no font has, which the viewer draws', () => {
    const svg = drawSvg({ ...badge, name: 'শ<>&"' }, layout);
    expect(svg).toMatch(/<text [^>]*>শ<\/text>/);
  });

  test.each(names)('draws %s', async (name) => {
    const svg = drawSvg({ ...badge, name }, layout);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    expect(await readSvgCodes(svg)).toEqual([badge.checkinCode]);
  });
});

describe('the PDF of badges', () => {
  test('has a page of the size A6 for each badge, with its texts and a QR code that readers decode', async () => {
    const other = { ...badge, name: 'Grace Hopper', company: null, checkinCode: 'CHK-2' };
    const pages = await readPdf(await drawPdf([badge, other]));
    expect(pages.map(({ codes }) => codes)).toEqual([['CHK-7D2M9QK4X1T8VBNA'], ['CHK-2']]);
    for (const { width, height } of pages) {
      expect(width).toBeCloseTo(297.64, 1);
      expect(height).toBeCloseTo(419.53, 1);
    }
    expect(pages[0]?.text.split(/\s*\r?\n\s*/)).toEqual([
      'Spring Summit',
      'Ada Lovelace',
      'Analytical Engines',
      'Standard',
      'CHK-7D2M9QK4X1T8VBNA',
    ]);
    expect(pages[1]?.text).toContain('Grace Hopper');
  });

  test('draws every name', async () => {
    const pages = await readPdf(await drawPdf(names.map((name) => ({ ...badge, name }))));
    expect(pages.map(({ codes }) => codes)).toEqual(names.map(() => [badge.checkinCode]));
    expect(pages[3]?.text).toContain('王小明');
    expect(pages[5]?.text).toContain('?');
  });

  test('needs few bytes for each further badge', async () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ ...badge, name: `Guest ${index}` }));
    const [one, fifty] = [await drawPdf([badge]), await drawPdf(many)];
    expect((fifty.length - one.length) / 49).toBeLessThan(2500);
  });
});
