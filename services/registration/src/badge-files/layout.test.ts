import { describe, expect, test } from 'vitest';
import { type Badge, pageHeight, pageWidth, qrBox, type TextBox, textsOf } from './badge.ts';
import { openFonts } from './fonts.ts';
import { createLayout } from './layout.ts';
import { widthOf } from './runs.ts';

const fonts = openFonts();
const layout = createLayout(fonts);
const box: TextBox = { x: 20, y: 80, width: 252, height: 106, maxSize: 34, weight: 'bold' };
const textOf = (line: { runs: { text: string }[] }) => line.runs.map(({ text }) => text).join('');
const fontsOf = (text: string) =>
  layout(text, box).flatMap(({ runs }) => runs.map(({ font }) => font?.name ?? null));

describe('the layout of a text', () => {
  test('has the largest size for a short text, in one line in the middle of its box', () => {
    const [line, ...others] = layout('Ada', box);
    expect(others).toEqual([]);
    expect(line?.size).toBe(34);
    const width = widthOf(line?.runs ?? []) * 34;
    expect((line?.x ?? 0) + width / 2).toBeCloseTo(box.x + box.width / 2);
  });

  test('breaks lines between words before it makes the text smaller than 12 points', () => {
    const lines = layout('Augusta Ada King, Countess of Lovelace', box);
    expect(lines.map(textOf).join(' ')).toBe('Augusta Ada King, Countess of Lovelace');
    expect(lines[0]?.size).toBeGreaterThan(20);
  });

  test.each([
    ['one word of 200 letters', 'W'.repeat(200)],
    ['200 letters in words', 'Wolfe schlegel '.repeat(14).slice(0, 200)],
    ['200 Han characters', '王'.repeat(200)],
    ['200 Arabic letters', 'عمر بن الخطاب '.repeat(15).slice(0, 200)],
    ['200 emoji', '👩‍💻'.repeat(66)],
    ['200 accents on a letter', `e${'\u0301'.repeat(199)}`],
    ['200 characters that no font has', '\u{1E900}'.repeat(200)],
    ['a ligature of a whole sentence', '﷽'.repeat(200)],
    ['no textAfter character', '\u200B\u2060\u00AD'],
  ])('keeps %s inside the box', (_case, text) => {
    const lines = layout(text, box);
    for (const { x, y, size, runs } of lines) {
      expect(x).toBeGreaterThanOrEqual(box.x - 0.001);
      expect(x + widthOf(runs) * size).toBeLessThanOrEqual(box.x + box.width + 0.001);
      expect(y - size).toBeGreaterThanOrEqual(box.y - 0.001);
      expect(y).toBeLessThanOrEqual(box.y + box.height);
      expect(size).toBeGreaterThanOrEqual(7);
    }
  });

  test('shows 200 letters completely, and ends a longer text with an ellipsis', () => {
    const textAfter = (text: string) => layout(text, box).map(textOf).join('');
    expect(textAfter('W'.repeat(200))).toBe('W'.repeat(200));
    expect(textAfter('王'.repeat(200))).toBe('王'.repeat(200));
    expect(textAfter('W'.repeat(2000))).toMatch(/^W+…$/);
  });

  test.each([
    ['Łukasz Đặng', 'sans-bold'],
    ['Αθηνά', 'sans-bold'],
    ['Дарья', 'sans-bold'],
    ['राजेश', 'sans-bold'],
    ['יוסף', 'dejavu-bold'],
    ['عمر', 'dejavu-bold'],
    ['Հայկ', 'dejavu-bold'],
    ['ნინო', 'dejavu-bold'],
    ['สมชาย', 'thai-bold'],
    ['王小明', 'han-bold'],
    ['さくら', 'han-bold'],
    ['김철수', 'korean-bold'],
    ['🎉', 'emoji-bold'],
  ])('finds a font for %s', (text, font) => {
    expect(new Set(fontsOf(text))).toEqual(new Set([font]));
  });

  test('has no font for Bengali, and mixes fonts in one name', () => {
    expect(new Set(fontsOf('শেখ'))).toEqual(new Set([null]));
    expect(fontsOf('Ada 王')).toEqual(['sans-bold', 'han-bold']);
  });

  test('orders the parts of a text from right to left, with mirrored brackets and numbers from left to right', () => {
    const [line] = layout('עמר (12)', { ...box, width: 1000 });
    expect(textOf(line ?? { runs: [] })).toBe('(12) עמר');
  });

  test('draws control characters as spaces, and ignores marks that change the direction', () => {
    expect(layout('Ada\n\tLove\u202Elace\u0000', box).map(textOf)).toEqual(['Ada Lovelace']);
  });
});

describe('the boxes of a badge', () => {
  const badge: Badge = {
    eventName: 'E',
    name: 'N',
    company: 'C',
    ticketTypeName: 'T',
    checkinCode: 'CHK-1',
  };

  test('leave the margin of printers white, and do not overlap', () => {
    const boxes = [
      ...textsOf(badge).map(({ box }) => box),
      { ...qrBox, width: qrBox.size, height: qrBox.size },
    ].toSorted((one, other) => one.y - other.y);
    const margin = (5 * 72) / 25.4;
    boxes.forEach(({ x, y, width, height }, index) => {
      expect(x).toBeGreaterThan(margin);
      expect(x + width).toBeLessThan(pageWidth - margin);
      expect(y).toBeGreaterThan(margin);
      expect(y + height).toBeLessThan(pageHeight - margin);
      const next = boxes[index + 1];
      if (next) expect(y + height).toBeLessThanOrEqual(next.y);
    });
  });

  test('leave out what a registration does not have', () => {
    const texts = textsOf({ ...badge, name: null, company: '', ticketTypeName: null });
    expect(texts.map(({ text }) => text)).toEqual(['E', 'CHK-1']);
  });
});
