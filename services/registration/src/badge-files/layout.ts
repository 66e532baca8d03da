import type { TextBox } from './badge.ts';
import type { Fonts } from './fonts.ts';
import { memoize } from './memoize.ts';
import { clustersOf, printable, type Run, runsOf, widthOf } from './runs.ts';

/** A line of a text with its place on the page. */
export interface Line {
  /** The left end of the line, and its baseline. */
  x: number;
  y: number;
  size: number;
  runs: Run[];
}

/** A part of a text that stays in one line, and the width of the space before it. */
interface Token {
  text: string;
  width: number;
  hasSpace: boolean;
}

const lineHeight = 1.3;
/** The baseline below the top of a line, so that ascenders and descenders are in it. */
const baseline = 1.02;
const sizes = [34, 30, 26, 23, 20, 18, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7];
/** A word is broken only if the text would be smaller otherwise. */
const minWholeWords = 12;

// These scripts write words without spaces.
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const words = new Intl.Segmenter('und', { granularity: 'word' });

/** The texts of an event are the same on all of its badges. */
const maxMemoized = 200;

export type LayoutText = (text: string, box: TextBox) => Line[];

/** Lays out texts, and remembers those that badges repeat. */
export function createLayout(fonts: Fonts): LayoutText {
  const byBox = new Map<string, (text: string) => Line[]>();
  return (text, box) => {
    const key = JSON.stringify(box);
    const known = byBox.get(key);
    const layout = known ?? memoize(maxMemoized, (printed) => layoutText(printed, box, fonts));
    if (!known) byBox.set(key, layout);
    return layout(text);
  };
}

/**
 * Places a text in its box, centered: in the largest size in which it fits, over as many lines as
 * that needs. A text that is too long for the smallest size ends with an ellipsis.
 */
function layoutText(text: string, box: TextBox, fonts: Fonts): Line[] {
  const printed = printable(text);
  const measure = (part: string) => widthOf(runsOf(part, fonts, box.weight));
  const space = measure(' ');
  const allowed = sizes.filter((size) => size <= box.maxSize);
  const tokens = tokensOf(printed, measure);
  const tryAll = (tried: readonly number[], parts: readonly Token[]): Line[] | null => {
    for (const size of tried) {
      const lines = wrap(parts, box.width / size, space);
      if (fits(lines, size, box)) return place(lines, size, box, fonts);
    }
    return null;
  };
  const whole = tryAll(
    allowed.filter((size) => size >= minWholeWords),
    tokens,
  );
  if (whole) return whole;
  const pieces = tokens.flatMap((token) => piecesOf(token, measure));
  const broken = tryAll(allowed, pieces);
  if (broken) return broken;
  const smallest = allowed.at(-1) ?? box.maxSize;
  const lines = wrap(pieces, box.width / smallest, space).slice(0, maxLines(smallest, box));
  return place(truncated(lines), smallest, box, fonts);
}

const maxLines = (size: number, { height }: TextBox): number =>
  Math.max(1, Math.floor(height / (size * lineHeight)));

function fits(lines: readonly Token[][], size: number, box: TextBox): boolean {
  if (lines.length > maxLines(size, box)) return false;
  return lines.every((line) => line.every(({ width }) => width * size <= box.width));
}

function tokensOf(text: string, measure: (part: string) => number): Token[] {
  return text.split(' ').flatMap((word) => {
    const parts = unspaced.test(word)
      ? [...words.segment(word)].map(({ segment }) => segment)
      : [word];
    return parts.map((part, index) => ({
      text: part,
      width: measure(part),
      hasSpace: index === 0,
    }));
  });
}

/** The characters of a word, so that it can be broken anywhere. */
const piecesOf = ({ text, hasSpace }: Token, measure: (part: string) => number): Token[] =>
  clustersOf(text).map((part, index) => ({
    text: part,
    width: measure(part),
    hasSpace: hasSpace && index === 0,
  }));

/** Fills lines one after the other. A part that is wider than a line has one of its own. */
function wrap(parts: readonly Token[], width: number, space: number): Token[][] {
  const lines: Token[][] = [[]];
  let used = 0;
  for (const part of parts) {
    const before = part.hasSpace && used > 0 ? space : 0;
    if (used > 0 && used + before + part.width > width) {
      lines.push([]);
      used = part.width;
    } else {
      used += before + part.width;
    }
    lines.at(-1)?.push(part);
  }
  return lines;
}

/** Replaces the end of the last line by an ellipsis. */
function truncated(lines: Token[][]): Token[][] {
  const last = lines.at(-1) ?? [];
  const ellipsis = { text: '…', width: 1, hasSpace: false };
  return [...lines.slice(0, -1), [...last.slice(0, -2), ellipsis]];
}

function place(lines: Token[][], size: number, box: TextBox, fonts: Fonts): Line[] {
  const top = box.y + (box.height - lines.length * size * lineHeight) / 2;
  return lines.map((tokens, index) => {
    const text = tokens.map(({ text, hasSpace }, at) => (hasSpace && at > 0 ? ' ' : '') + text);
    const runs = runsOf(text.join(''), fonts, box.weight);
    const width = widthOf(runs) * size;
    // A single character can be wider than the box.
    const scaled = width > box.width ? (size * box.width) / width : size;
    return {
      x: box.x + (box.width - Math.min(width, box.width)) / 2,
      y: top + index * size * lineHeight + size * baseline,
      size: scaled,
      runs,
    };
  });
}
