import { allServices, type Fault } from './fault.ts';
import { servedBy } from './processes.ts';

/** Clocks may differ by five minutes (docs/runbook.md); a busy machine takes some of the rest. */
const offMs = 4 * 60_000;

/** Settings with which a process reads another time than there is, whoever in it asks. */
const clockOff = (byMs: number): NodeJS.ProcessEnv => {
  const shifted = `const { Date: Right } = globalThis;
    globalThis.Date = class Date extends Right {
      constructor(...given) { if (given.length === 0) super(Date.now()); else super(...given); }
      static now() { return Right.now() + ${byMs}; }
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

/** The clock of one process is not that of the others. */
export const clockFaults: Fault[] = allServices.flatMap((name) => [
  off(name, offMs, 'ahead'),
  off(name, -offMs, 'behind'),
]);
