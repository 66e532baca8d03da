import { allServices, type Fault } from './fault.ts';
import { servedBy } from './processes.ts';

/**
 * Clocks may differ by up to five minutes (docs/runbook.md). A minute is left for a busy machine.
 */
const offMs = 4 * 60_000;

/** Returns settings that shift `Date` in a process. */
const clockOff = (byMs: number): NodeJS.ProcessEnv => {
  const shifted = `const { Date: RealDate } = globalThis;
    globalThis.Date = class Date extends RealDate {
      constructor(...args) { if (args.length === 0) super(Date.now()); else super(...args); }
      static now() { return RealDate.now() + ${byMs}; }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shifted)}` };
};

const off = (name: string, byMs: number, how: string): Fault => {
  const restart =
    (env: NodeJS.ProcessEnv): Fault['begin'] =>
    async ({ environment: { processes } }) => {
      await processes.stop(name);
      await processes.restart(name, env);
    };
  return {
    name: `${name}'s clock four minutes ${how}`,
    target: name,
    affects: servedBy[name] ?? [],
    isGraceful: true,
    lastsMs: 3000,
    begin: restart(clockOff(byMs)),
    end: restart({ NODE_OPTIONS: '' }),
  };
};

/** Each fault shifts the clock of one process only. */
export const clockFaults: Fault[] = allServices.flatMap((name) => [
  off(name, offMs, 'ahead'),
  off(name, -offMs, 'behind'),
]);
