import { colors, drawPanel, escaped, frame, type Line, panelHeight, text } from './panel.ts';
import type { Samples, Step } from './time-series.ts';

/** Readable on a light and on a dark page: the viewer's preference decides. */
const style = `<style>
  .page { fill: #ffffff } text { fill: #1f2328 } .quiet { fill: #59636e } .grid { stroke: #d1d9e0 }
  .line { fill: none; stroke-width: 1.5 }
  .c1 { stroke: #b3261e } .c2 { stroke: #1f5fa8 } .c3 { stroke: #2e7d32 }
  .c4 { stroke: #8a4b00 } .c5 { stroke: #6a3fa0 } .c6 { stroke: #00707a }
  .c7 { stroke: #b0307a } .c8 { stroke: #57606a }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } text { fill: #f0f6fc } .quiet { fill: #9198a1 } .grid { stroke: #3d444d }
    .c1 { stroke: #ff8a80 } .c2 { stroke: #79b8ff } .c3 { stroke: #7ee787 }
    .c4 { stroke: #f0b072 } .c5 { stroke: #d2a8ff } .c6 { stroke: #6fdce6 }
    .c7 { stroke: #ff9bd2 } .c8 { stroke: #a8b1bb }
  }
</style>`;

interface Panel {
  title: string;
  unit: string;
  lines: Line[];
}

/**
 * Renders a run as an SVG: response times and requests per second, the slowest responses of each
 * step, and the seats sold where some were.
 */
export function renderReport(
  title: string,
  samples: Samples,
  { seats }: { seats: number },
): string {
  const { seconds, steps, sold } = samples;
  const last = seconds.at(-1)?.at ?? 0;
  const panels: Panel[] = [
    {
      title: 'Latency of all requests',
      unit: 'ms',
      lines: [
        { name: 'p99', color: 1, points: seconds.map(({ at, p99 }) => ({ at, value: p99 })) },
        { name: 'median', color: 2, points: seconds.map(({ at, p50 }) => ({ at, value: p50 })) },
      ],
    },
    ...(steps.length > 1 ? [stepsPanel(steps)] : []),
    ...(sold.length > 0 ? [seatsPanel(sold, seats)] : []),
    {
      title: 'Requests',
      unit: '/s',
      lines: [
        {
          name: 'requests',
          color: 3,
          points: seconds.map(({ at, requests }) => ({ at, value: requests })),
        },
      ],
    },
  ];
  let top = 60;
  const drawn = panels.flatMap(({ title: heading, unit, lines }) => {
    const at = top;
    top += panelHeight(lines.length);
    return drawPanel(lines, { top: at, unit, title: heading, last });
  });
  const { width, left, right } = frame;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${top + 10}" font-family="sans-serif" font-size="12">`,
    `<title>Latency, steps and requests over time of ${escaped(title)}</title>`,
    style,
    `<rect width="${width}" height="${top + 10}" class="page"/>`,
    text(left, 24, escaped(title), 'font-weight="bold"'),
    ...drawn,
    text(left, top - 16, '0 s', 'class="quiet"'),
    text(width - right, top - 16, `${last} s`, 'text-anchor="end" class="quiet"'),
    '</svg>',
    '',
  ].join('\n');
}

/** The steps with the most requests; a gap where a second has none. */
function stepsPanel(steps: readonly Step[]): Panel {
  const shown = steps
    .toSorted((one, other) => other.requests - one.requests)
    .slice(0, colors.length)
    .toSorted((one, other) => steps.indexOf(one) - steps.indexOf(other));
  return {
    title: 'p99 of each step, and of the whole run',
    unit: 'ms',
    lines: shown.map(({ name, p99, seconds }, index) => ({
      name: `${name} ${Math.round(p99)} ms`,
      color: colors[index] ?? 1,
      points: seconds
        .filter(({ requests }) => requests > 0)
        .map((second) => ({ at: second.at, value: second.p99 })),
    })),
  };
}

function seatsPanel(sold: Samples['sold'], seats: number): Panel {
  const last = sold.at(-1);
  // Far from sold out, the line would leave no room for the sales.
  const isNear = (last?.seats ?? 0) > seats / 2;
  return {
    title: 'Seats sold',
    unit: '',
    lines: [
      { name: 'sold', color: 3, points: sold.map(({ at, seats: value }) => ({ at, value })) },
      {
        name: `seats: ${seats}`,
        color: 1,
        isDashed: true,
        points: isNear ? [0, last?.at ?? 0].map((at) => ({ at, value: seats })) : [],
      },
    ],
  };
}
