import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { create, type Font } from 'fontkit';
import { memoize } from './memoize.ts';
import { unwrapWoff } from './woff.ts';

const require = createRequire(import.meta.url);

// The entry point of these packages is `dist/index.cjs`, and their `exports` name no other file.
const besideEntry = (name: string, file: string): string =>
  join(require.resolve(name), '../../fonts', file);

/** The fonts in the order in which a character looks for one, with a file for each weight. */
const files = {
  // Latin, Greek, Cyrillic, Devanagari.
  sans: {
    regular: () => besideEntry('@embedpdf/fonts-latin', 'NotoSans-Regular.ttf'),
    bold: () => besideEntry('@embedpdf/fonts-latin', 'NotoSans-Bold.ttf'),
  },
  // Hebrew, Arabic, Armenian, Georgian, symbols.
  dejavu: {
    regular: () => require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
    bold: () => require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  },
  thai: {
    regular: () =>
      require.resolve('@fontsource/noto-sans-thai/files/noto-sans-thai-thai-400-normal.woff'),
    bold: () =>
      require.resolve('@fontsource/noto-sans-thai/files/noto-sans-thai-thai-700-normal.woff'),
  },
  // Chinese, simplified and traditional, and Japanese.
  han: {
    regular: () => besideEntry('@embedpdf/fonts-sc', 'NotoSansHans-Regular.otf'),
    bold: () => besideEntry('@embedpdf/fonts-sc', 'NotoSansHans-Bold.otf'),
  },
  korean: {
    regular: () => besideEntry('@embedpdf/fonts-kr', 'NotoSansKR-Regular.otf'),
    bold: () => besideEntry('@embedpdf/fonts-kr', 'NotoSansKR-Bold.otf'),
  },
  emoji: {
    regular: () => require.resolve('@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff'),
    bold: () => require.resolve('@fontsource/noto-emoji/files/noto-emoji-emoji-700-normal.woff'),
  },
} satisfies Record<string, Record<Weight, () => string>>;

type Weight = 'regular' | 'bold';

/** A font of one weight. */
export interface OpenFont {
  /** Unique among the fonts. */
  name: string;
  /** Its file, as TrueType or OpenType. */
  file: Buffer;
  font: Font;
  /** The width of a text in ems. */
  widthOf(text: string): number;
}

/** The fonts, each opened when a text needs it: those of Han characters have 8 MB. */
export interface Fonts {
  /** The first font that has every character, or null. */
  find(characters: string, weight: Weight): OpenFont | null;
}

const families = Object.keys(files) as (keyof typeof files)[];

/** Badges repeat few words and characters. */
const maxMemoized = 20_000;

export function openFonts(): Fonts {
  const opened = new Map<string, OpenFont>();

  function open(family: keyof typeof files, weight: Weight): OpenFont {
    const name = `${family}-${weight}`;
    const known = opened.get(name);
    if (known) return known;
    const file = unwrapWoff(readFileSync(files[family][weight]()));
    const font = create(file) as Font;
    const widthOf = (text: string) => font.layout(text).advanceWidth / font.unitsPerEm;
    const result = { name, file, font, widthOf: memoize(maxMemoized, widthOf) };
    opened.set(name, result);
    return result;
  }

  function search(characters: string, weight: Weight): OpenFont | null {
    const points = [...characters].map((character) => character.codePointAt(0) ?? 0);
    for (const family of families) {
      const candidate = open(family, weight);
      if (points.every((point) => candidate.font.hasGlyphForCodePoint(point))) return candidate;
    }
    return null;
  }

  const found = {
    regular: memoize(maxMemoized, (characters) => search(characters, 'regular')),
    bold: memoize(maxMemoized, (characters) => search(characters, 'bold')),
  };
  return { find: (characters, weight) => found[weight](characters) };
}
