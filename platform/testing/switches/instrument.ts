import { join, relative } from 'node:path';
import { mutations } from './mutations.ts';

const root = join(import.meta.dirname, '../../..');
const switches = join(import.meta.dirname, 'switches.ts');

/**
 * Returns a module of the product as a test process runs it: it awaits what a test does at a step,
 * and it can omit a guard. Null for a module without steps and guards.
 * Errors: a mutation that does not apply exactly once.
 */
export function instrument(code: string, path: string): string | null {
  const file = relative(root, path);
  const stepped = code.replace(/^(\s*)reachStep\((.*)\);$/gm, '$1await testSwitches.reach($2);');
  const instrumented = mutations
    .filter((mutation) => mutation.file === file)
    .reduce((text, { find, replace }) => {
      const [before, after, ...more] = text.split(find);
      if (before === undefined || after === undefined || more.length > 0)
        throw new Error(`${file} must contain exactly once: ${find}`);
      return before + replace + after;
    }, stepped);
  if (instrumented === code) return null;
  return `${instrumented}\nimport * as testSwitches from ${JSON.stringify(switches)};\n`;
}
