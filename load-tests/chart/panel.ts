/** Where the panels of a picture are, in its units. */
export const frame = { width: 760, left: 80, right: 16, panel: 130 };

/** The numbers of the CSS classes. */
export const colors = [1, 2, 3, 4, 5, 6, 7, 8] as const;
export type Color = (typeof colors)[number];

/** A line of a panel. `color` is the number of its CSS class. */
export interface Line {
  name: string;
  color: Color;
  points: readonly { at: number; value: number }[];
  isDashed?: boolean;
}

/**
 * One panel: a heading, a grid with three values, the lines, and their names below. The panels of a
 * picture share the range of time up to `last`.
 */
export function drawPanel(
  lines: readonly Line[],
  { top, unit, title, last }: { top: number; unit: string; title: string; last: number },
): string[] {
  const { width, left, right, panel } = frame;
  const values = lines.flatMap(({ points }) => points.map(({ value }) => value));
  const highest = axisMaximum(values.reduce((most, value) => Math.max(most, value), 1));
  const x = (at: number) => left + (at / Math.max(1, last)) * (width - left - right);
  const y = (value: number) => top + panel * (1 - value / highest);
  const grid = [0, highest / 2, highest].flatMap((value) => [
    `<line x1="${left}" x2="${width - right}" y1="${y(value)}" y2="${y(value)}" class="grid"/>`,
    text(left - 6, y(value) + 4, `${value} ${unit}`, 'text-anchor="end" class="quiet"'),
  ]);
  const drawn = lines.map(({ color, points, isDashed }) => {
    const path = points.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
    const dashes = isDashed ? ' stroke-dasharray="5 4"' : '';
    return `<polyline points="${path.join(' ')}" class="line c${color}"${dashes}/>`;
  });
  return [text(left, top - 10, title), ...grid, ...drawn, ...legend(lines, top + panel + 18)];
}

/** The names of the lines in their colors, three in a row. */
function legend(lines: readonly Line[], top: number): string[] {
  const { left, width, right } = frame;
  const column = (width - left - right) / 3;
  return lines.flatMap(({ name, color }, index) => {
    const x = left + (index % 3) * column;
    const y = top + Math.floor(index / 3) * 16;
    return [
      `<line x1="${x}" x2="${x + 14}" y1="${y - 4}" y2="${y - 4}" class="line c${color}"/>`,
      text(x + 20, y, escaped(name)),
    ];
  });
}

/** The height of a panel with its legend. */
export const panelHeight = (lines: number): number => frame.panel + 50 + 16 * Math.ceil(lines / 3);

/** Returns the next value of 1, 2, 5, 10, 20, 50 and so on. */
export function axisMaximum(value: number): number {
  const ten = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((step) => step * ten >= value) ?? 10) * ten;
}

export const text = (x: number, y: number, words: string, more = ''): string =>
  `<text x="${x}" y="${y}" ${more}>${words}</text>`;

export const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
