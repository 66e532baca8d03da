import bidiFactory, { type Bidi } from 'bidi-js';
import type { Fonts, OpenFont } from './fonts.ts';

/** Text of one font and one direction. */
export interface Run {
  /** In the order of reading, with mirrored brackets. */
  text: string;
  /** Null: no font has these characters. */
  font: OpenFont | null;
  /** In ems. */
  width: number;
  isRightToLeft: boolean;
}

type Part = Pick<Run, 'text' | 'font'>;

type Weight = 'regular' | 'bold';

// Node loads the CommonJS file, whose only export is the factory. The types describe the other one.
const bidi = (bidiFactory as unknown as () => Bidi)();
const clusters = new Intl.Segmenter('und', { granularity: 'grapheme' });

// Characters without a glyph of their own, such as the joiners of emoji and the marks of a
// direction.
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const rightToLeftLetter =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * The text as it is drawn: in one line, without control characters and characters that are none,
 * and without marks that change the direction of what follows.
 */
export const printable = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .replaceAll(/\p{Noncharacter_Code_Point}/gu, '')
    .replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu, '')
    .trim();

/** The characters that belong together on the page, such as a letter with its accents. */
export const clustersOf = (text: string): string[] =>
  withoutMarks.test(text) ? [...text] : [...clusters.segment(text)].map(({ segment }) => segment);

/** Each character of these, up to Latin with accents, stands for itself. */
const withoutMarks = /^[\u0020-\u007E\u00A1-\u024F]*$/;

/** An em per character is wide enough for the fonts of a browser. */
const unknownWidth = (text: string): number => clustersOf(text).length;

/** Splits a line into runs, in the order in which they stand on the page from left to right. */
export function runsOf(line: string, fonts: Fonts, weight: Weight): Run[] {
  return visualParts(line).flatMap(({ text, isRightToLeft }) => {
    const runs = fontRuns(text, fonts, weight).map((run) => drawn(run, isRightToLeft));
    return isRightToLeft ? runs.reverse() : runs;
  });
}

/** The width of a line in ems. */
export const widthOf = (runs: readonly Run[]): number => sumOf(runs.map(({ width }) => width));

const rightToLeftCharacter =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** The parts of one direction each, from left to right. */
function visualParts(line: string): { text: string; isRightToLeft: boolean }[] {
  if (!rightToLeftCharacter.test(line)) return [{ text: line, isRightToLeft: false }];
  const embedding = bidi.getEmbeddingLevels(line);
  const { levels } = embedding;
  const order = bidi.getReorderedIndices(line, embedding);
  const mirrored = bidi.getMirroredCharactersMap(line, levels);
  const parts: { indices: number[]; level: number }[] = [];
  for (const index of order) {
    const level = levels[index] ?? 0;
    const last = parts.at(-1);
    if (last && last.level === level) last.indices.push(index);
    else parts.push({ indices: [index], level });
  }
  return parts.map(({ indices, level }) => {
    const logical = indices.sort((a, b) => a - b);
    const text = logical.map((index) => mirrored.get(index) ?? line[index]).join('');
    return { text, isRightToLeft: level % 2 === 1 };
  });
}

/** Parts of one font each, in the order of reading. */
function fontRuns(text: string, fonts: Fonts, weight: Weight): Part[] {
  const runs: Part[] = [];
  for (const cluster of clustersOf(text)) {
    for (const { text: part, font } of fontOf(cluster, fonts, weight)) {
      const last = runs.at(-1);
      if (last && last.font === font) last.text += part;
      else runs.push({ text: part, font });
    }
  }
  return runs;
}

/** The font of a cluster or, if no font has all of its characters, those of each character. */
function fontOf(cluster: string, fonts: Fonts, weight: Weight): Part[] {
  const visible = cluster.replaceAll(invisible, '');
  if (visible === '') return [];
  const font = fonts.find(visible, weight);
  if (font) return [{ text: font.name.startsWith('emoji') ? cluster : visible, font }];
  const characters = [...visible];
  if (characters.length === 1) return [{ text: visible, font: null }];
  return characters.map((text) => ({ text, font: fonts.find(text, weight) }));
}

/** A font lays out letters from right to left by itself, and everything else from left to right. */
function drawn({ text, font }: Part, isRightToLeft: boolean): Run {
  if (isRightToLeft && rightToLeftLetter.test(text)) {
    return { text, font, width: font?.widthOf(text) ?? unknownWidth(text), isRightToLeft };
  }
  const ordered = isRightToLeft ? clustersOf(text).reverse().join('') : text;
  const width = font ? sumOf(wordsOf(ordered).map(font.widthOf)) : unknownWidth(ordered);
  return { text: ordered, font, width, isRightToLeft: false };
}

/** The words, each with the space behind it, because many texts share words. */
const wordsOf = (text: string): string[] => text.split(/(?<= )/);

const sumOf = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
