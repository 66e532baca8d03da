import { Graph, layout } from '@dagrejs/dagre';
import { escapeHtml } from './html.ts';

interface Transition {
  from: string;
  to: string;
  label: string;
}

interface Point {
  x: number;
  y: number;
}

interface State extends Point {
  name: string;
  width: number;
  height: number;
}

interface Arrow extends Point {
  points: Point[];
  /** The lines of the label, whose middle is at `x` and `y`. */
  lines: string[];
}

interface Picture {
  width: number;
  height: number;
  states: State[];
  arrows: Arrow[];
}

/** Where a record begins, in Mermaid's words. */
const start = '[*]';

// The style sheet sets the same fonts, a monospaced one of 13 px and a proportional one of 12 px.
const sizes = {
  state: { letter: 7.9, height: 32, padding: 24 },
  label: { letter: 6.3, line: 15, lineLetters: 16 },
  start: 14,
} as const;

/** The transitions of a state diagram in Mermaid's syntax: `from --> to: label`. */
export const transitionsOf = (source: string): Transition[] =>
  [...source.matchAll(/^\s*(\S+) --> (\w+)(?:: (.+))?$/gm)].map(
    ([, from = '', to = '', label = '']) => ({ from, to, label }),
  );

/**
 * Draws a state diagram as SVG. It has no script and no inline style, so that the policy of the page
 * can stay strict, and the colors of the page. `id` is unique in the page.
 */
export function statePicture(source: string, id: string): string {
  const transitions = transitionsOf(source);
  const { width, height, states, arrows } = place(transitions);
  const words = transitions
    .map(({ from, to, label }) => `${from === start ? 'start' : from} to ${to}: ${label}`)
    .join('; ');
  const tip = `${id}-tip`;
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<div class="states scroll" role="group" aria-label="Statuses" tabindex="0"><svg role="img" aria-label="${escapeHtml(words)}" ${size}>
<defs><marker id="${tip}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
${[...arrows.map((arrow) => arrowSvg(arrow, tip)), ...arrows.map(labelSvg), ...states.map(stateSvg)].join('\n')}
</svg></div>
`;
}

function place(transitions: readonly Transition[]): Picture {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ nodesep: 14, ranksep: 24, edgesep: 8, marginx: 6, marginy: 6 });
  const names = [...new Set(transitions.flatMap(({ from, to }) => [from, to]))];
  for (const name of names) graph.setNode(name, { name, ...boxOf(name) });
  const { letter, line } = sizes.label;
  for (const { from, to, label } of transitions) {
    const lines = linesOf(label);
    const longest = Math.max(0, ...lines.map(({ length }) => length));
    const room = { width: longest * letter + 8, height: lines.length * line };
    graph.setEdge(from, to, { ...room, lines, labelpos: 'c' }, label);
  }
  layout(graph);
  const { width, height }: { width: number; height: number } = graph.graph();
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    states: names.map((name): State => graph.node(name)),
    arrows: transitions.map(({ from, to, label }): Arrow => graph.edge(from, to, label)),
  };
}

function boxOf(name: string): { width: number; height: number } {
  const { letter, height, padding } = sizes.state;
  if (name === start) return { width: sizes.start, height: sizes.start };
  return { width: name.length * letter + padding, height };
}

/** Breaks a label into lines. */
function linesOf(label: string): string[] {
  const [first = '', ...rest] = label.split(' ');
  const lines = [first];
  for (const word of rest) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= sizes.label.lineLetters) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
const at = ({ x, y }: Point): string => `${rounded(x)} ${rounded(y)}`;

/** A curve through the middles between the points, from the first to the last one. */
function arrowSvg({ points }: Arrow, tip: string): string {
  const [first = { x: 0, y: 0 }, ...rest] = points;
  const bends = rest.slice(0, -1);
  const last = rest.at(-1) ?? first;
  const curves = bends.map((bend, index) => {
    const next = bends[index + 1];
    const end = next ? { x: (bend.x + next.x) / 2, y: (bend.y + next.y) / 2 } : last;
    return `Q${at(bend)} ${at(end)}`;
  });
  return `<path class="arrow" d="M${at(first)}${curves.join('')}" marker-end="url(#${tip})"/>`;
}

function labelSvg({ x, y, lines }: Arrow): string {
  const { line } = sizes.label;
  // A text stands on its baseline.
  const top = y - ((lines.length - 1) * line) / 2 + 4;
  return lines
    .map((text, index) => {
      const place = `x="${rounded(x)}" y="${rounded(top + index * line)}"`;
      return `<text class="label" ${place}>${escapeHtml(text)}</text>`;
    })
    .join('');
}

function stateSvg({ name, x, y, width, height }: State): string {
  if (name === start) return `<circle class="start" cx="${rounded(x)}" cy="${rounded(y)}" r="6"/>`;
  const corner = `x="${rounded(x - width / 2)}" y="${rounded(y - height / 2)}"`;
  const box = `<rect class="state" ${corner} width="${rounded(width)}" height="${height}" rx="6"/>`;
  return `${box}<text class="name" x="${rounded(x)}" y="${rounded(y + 4.5)}">${name}</text>`;
}
