import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Instruction {
  /** `COPY`, `RUN`, … */
  word: string;
  /** The rest, with build arguments replaced. */
  value: string;
}

export const dockerfile: string = readFileSync(join(import.meta.dirname, '../Dockerfile'), 'utf8');

const all: Instruction[] = [
  ...dockerfile.replaceAll('\\\n', ' ').matchAll(/^([A-Z]+) (.*)$/gm),
].map(([, word = '', value = '']) => ({ word, value }));

/**
 * The instructions between `FROM … AS <stage>` and the next FROM. Errors: there is no such stage.
 */
function ownInstructionsOf(stage: string): Instruction[] {
  const start = all.findIndex(
    ({ word, value }) => word === 'FROM' && value.endsWith(` AS ${stage}`),
  );
  if (start === -1) throw new Error(`the Dockerfile has no stage ${stage}`);
  const next = all.findIndex(({ word }, index) => index > start && word === 'FROM');
  return all.slice(start, next === -1 ? undefined : next);
}

/**
 * The instructions of a stage after those of the stages that it builds on, with `args` as its build
 * arguments.
 */
export function instructionsOf(stage: string, args: Record<string, string> = {}): Instruction[] {
  const [from, ...own] = ownInstructionsOf(stage);
  const base = from?.value.split(' ')[0] ?? '';
  const inherited = base.startsWith('$') ? [] : instructionsOf(base, args);
  return [...inherited, ...own.map(({ word, value }) => ({ word, value: expand(value, args) }))];
}

const expand = (value: string, args: Record<string, string>): string =>
  value.replace(/\$\{(\w+)\}/g, (text, name: string) => args[name] ?? text);

/** The last instruction with this word that holds in a stage. */
export const lastOf = (stage: string, word: string): string | undefined =>
  instructionsOf(stage).findLast((each) => each.word === word)?.value;
