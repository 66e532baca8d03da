/** A column of a row source of a plan. */
export interface Column {
  alias: string;
  column: string;
}

/** Two values that a condition requires to be equal. `column` is that of a row source. */
export interface Equality {
  left: Column;
  right: Column | null;
  /** The right side as text. */
  value: string;
}

/**
 * The equalities that a condition, as PostgreSQL prints it, requires of every row. A part with `OR`
 * requires none.
 */
export function equalitiesOf(condition: string): Equality[] {
  return conjunctsOf(condition).flatMap((conjunct) => {
    const [one, other, ...more] = splitOutside(conjunct, ' = ').map(unwrapped);
    if (one === undefined || other === undefined || more.length > 0) return [];
    return [...equality(one, other), ...equality(other, one)];
  });
}

function equality(one: string, other: string): Equality[] {
  const left = columnOf(one);
  if (!left) return [];
  const element = /^ANY \((.*)\)$/s.exec(other)?.[1] ?? other;
  return [{ left, right: columnOf(element), value: unwrapped(element) }];
}

function conjunctsOf(condition: string): string[] {
  const text = unwrapped(condition);
  const isTrue = /^(.*) IS TRUE$/s.exec(text)?.[1];
  if (isTrue !== undefined && splitOutside(text, ' AND ').length === 1) return conjunctsOf(isTrue);
  const parts = splitOutside(text, ' AND ');
  return parts.length === 1 ? parts : parts.flatMap(conjunctsOf);
}

/** `alias.column`, also in quotes, of the result of a sub-select, and with a cast. */
function columnOf(operand: string): Column | null {
  const text = unwrapped(unwrapped(operand).replace(/::[\w" ]+(\[\])?$/, ''));
  const found = /^(?:"([^"]+)"|(\w+)|\(((?:Init|Sub)Plan \d+)\))\.(?:"([^"]+)"|(\w+))$/.exec(text);
  if (!found) return null;
  const [, quoted, plain, plan, quotedColumn, plainColumn] = found;
  return { alias: quoted ?? plain ?? plan ?? '', column: quotedColumn ?? plainColumn ?? '' };
}

/** Without the parentheses around the whole text. */
function unwrapped(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith('(') && closingOf(trimmed) === trimmed.length - 1
    ? unwrapped(trimmed.slice(1, -1))
    : trimmed;
}

/** The position of the parenthesis that closes the first character. */
function closingOf(text: string): number {
  let end = -1;
  scan(text, (at, depth) => {
    if (end < 0 && depth === 0 && text[at] === ')') end = at;
    return 1;
  });
  return end;
}

/** Splits at a separator outside of parentheses and quotes. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  scan(text, (at, depth) => {
    if (depth > 0 || !text.startsWith(separator, at)) return 1;
    parts.push(text.slice(start, at));
    start = at + separator.length;
    return separator.length;
  });
  return [...parts, text.slice(start)];
}

/**
 * Visits the characters outside of quotes with the number of open parentheses. `visit` returns how
 * many it has read.
 */
function scan(text: string, visit: (at: number, depth: number) => number): void {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; ) {
    const one = text[at];
    if (one === "'") isQuoted = !isQuoted;
    if (isQuoted || one === "'") {
      at += 1;
      continue;
    }
    if (one === '(') depth += 1;
    if (one === ')') depth -= 1;
    at += visit(at, depth);
  }
}
