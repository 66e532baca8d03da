import type { Second } from './time-series.ts';

const width = 760;
const left = 56;
const right = 16;
const panel = 130;

/** Renders a run as an SVG: response times per second above, request rate below. */
export function renderChart(title: string, seconds: readonly Second[]): string {
  const latency = chart(seconds, { top: 44, unit: 'ms' }, [
    { name: 'p99', colour: '#b3261e', of: ({ p99 }) => p99 },
    { name: 'median', colour: '#1f5fa8', of: ({ p50 }) => p50 },
  ]);
  const requests = chart(seconds, { top: 44 + panel + 50, unit: '/s' }, [
    { name: 'requests', colour: '#3a7d44', of: (second) => second.requests },
  ]);
  const last = seconds.at(-1)?.at ?? 0;
  const height = 44 + 2 * panel + 100;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>Latency and requests over time of ${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(left, 22, escaped(title), 'font-weight="bold"'),
    ...latency,
    ...requests,
    text(left, height - 16, '0 s'),
    text(width - right, height - 16, `${last} s`, 'text-anchor="end"'),
    '</svg>',
    '',
  ].join('\n');
}

interface Line {
  name: string;
  colour: string;
  of: (second: Second) => number;
}

function chart(
  seconds: readonly Second[],
  { top, unit }: { top: number; unit: string },
  lines: readonly Line[],
): string[] {
  const highest = axisMaximum(Math.max(1, ...lines.flatMap(({ of }) => seconds.map(of))));
  const last = Math.max(1, seconds.at(-1)?.at ?? 1);
  const x = (at: number) => left + (at / last) * (width - left - right);
  const y = (value: number) => top + panel * (1 - value / highest);
  const grid = [0, highest / 2, highest].flatMap((value) => [
    `<line x1="${left}" x2="${width - right}" y1="${y(value)}" y2="${y(value)}" stroke="#ddd"/>`,
    text(left - 6, y(value) + 4, `${value} ${unit}`, 'text-anchor="end"'),
  ]);
  const drawn = lines.flatMap(({ name, colour, of }, index) => {
    const points = seconds.map(
      (second) => `${x(second.at).toFixed(1)},${y(of(second)).toFixed(1)}`,
    );
    return [
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
      text(width - right - 70 * index, top - 6, name, `text-anchor="end" fill="${colour}"`),
    ];
  });
  return [...grid, ...drawn];
}

/** Returns the next value of 1, 2, 5, 10, 20, 50 and so on. */
export function axisMaximum(value: number): number {
  const ten = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((step) => step * ten >= value) ?? 10) * ten;
}

const text = (x: number, y: number, words: string, more = ''): string =>
  `<text x="${x}" y="${y}" ${more}>${words}</text>`;

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
