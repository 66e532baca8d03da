import { parseArgs } from 'node:util';
import { describeMemory, readMemory } from '@event-api/tools/platform/memory';
import { benchAdmission, describeAdmission } from './admission.ts';
import { benchBus, describeBus } from './bus.ts';
import { benchCapacity, describeCapacity, recordCapacity } from './capacity.ts';
import { compareChanges } from './changes.ts';
import { benchCheckin, describeCheckin } from './checkin.ts';
import { benchConsoles, describeConsoles } from './consoles.ts';
import { type BenchEnvironment, type BenchSettings, withPlatform } from './environment.ts';
import { benchFairness, describeFairness } from './fairness.ts';
import { benchFirstUse, describeFirstUse } from './first-use.ts';
import { benchGateway, describeGateway } from './gateway.ts';
import { benchGroups, describeGroups } from './groups.ts';
import { benchIdle, describeIdle } from './idle.ts';
import { benchJson, describeJson } from './json.ts';
import { benchLists, describeLists } from './lists.ts';
import { benchOrders, describeOrders } from './orders.ts';
import { record } from './performance-page.ts';
import { benchRoster, describeRoster } from './roster.ts';
import { benchScans, describeScans } from './scans.ts';
import { describeVerdict, type Verdict } from './verdicts.ts';
import { benchWaitlist, describeWaitlist } from './waitlist.ts';
import { benchWebhooks, describeWebhooks } from './webhooks.ts';

interface Options {
  rounds: number;
  roundMs: number;
}

interface Result {
  figures: object;
  text: string;
  verdicts: Verdict[];
  /** Writes figures elsewhere than to the page of ratios. */
  record?: () => void;
}

/** The benches by name. */
const benches: Record<
  string,
  (environment: BenchEnvironment, options: Options) => Promise<Result>
> = {
  async gateway(environment, options) {
    const figures = await benchGateway(environment, options);
    return { figures, text: describeGateway(figures), verdicts: figures.verdicts };
  },
  async admission(environment, options) {
    const figures = await benchAdmission(environment, options);
    const verdicts = figures.rates.map(({ overBareInserts }) => overBareInserts);
    return { figures, text: describeAdmission(figures), verdicts };
  },
  async checkin(environment, options) {
    const figures = await benchCheckin(environment, options);
    return { figures, text: describeCheckin(figures), verdicts: [figures.overBareInserts] };
  },
  async roster(environment, options) {
    const figures = await benchRoster(environment, options);
    return { figures, text: describeRoster(figures), verdicts: [] };
  },
  async scans(environment, options) {
    const figures = await benchScans(environment, options);
    return { figures, text: describeScans(figures), verdicts: [figures.overSingle] };
  },
  async fairness(environment, options) {
    const figures = await benchFairness(environment, options);
    return { figures, text: describeFairness(figures), verdicts: figures.verdicts };
  },
  async bus(environment, options) {
    const figures = await benchBus(environment, options);
    const verdicts = figures.writes.flatMap(({ overPlain }) => overPlain ?? []);
    return { figures, text: describeBus(figures), verdicts };
  },
  async json(environment, options) {
    const figures = await benchJson(environment, options);
    return { figures, text: describeJson(figures), verdicts: [] };
  },
  async lists(environment, options) {
    const figures = await benchLists(environment, options);
    return { figures, text: describeLists(figures), verdicts: [] };
  },
  async orders(environment, options) {
    const orders = await benchOrders(environment, options);
    const figures = { ...orders, changes: await compareChanges(options) };
    const verdicts = [
      ...figures.loads.flatMap(({ overBare, feedInTime }) => [overBare, feedInTime]),
      figures.changes,
    ];
    const text = [describeOrders(figures), describeVerdict(figures.changes)].join('\n');
    return { figures, text, verdicts };
  },
  async groups(environment, options) {
    const figures = await benchGroups(environment, options);
    return { figures, text: describeGroups(figures), verdicts: [figures.overNamed] };
  },
  async waitlist(environment) {
    const figures = await benchWaitlist(environment);
    return { figures, text: describeWaitlist(figures), verdicts: [] };
  },
  async webhooks(environment, options) {
    const figures = await benchWebhooks(environment, options);
    return { figures, text: describeWebhooks(figures), verdicts: [figures.overAlone] };
  },
  async idle(environment, options) {
    const figures = await benchIdle(environment, options);
    return { figures, text: describeIdle(figures), verdicts: [] };
  },
  async capacity(environment, options) {
    const figures = await benchCapacity(environment, options);
    const text = describeCapacity(figures);
    return { figures, text, verdicts: [], record: () => recordCapacity(figures) };
  },
  async consoles(environment, options) {
    const figures = await benchConsoles(environment, options);
    return { figures, text: describeConsoles(figures), verdicts: [figures.overAlone] };
  },
  async 'first-use'(environment, options) {
    const figures = await benchFirstUse(environment, options);
    return {
      figures,
      text: describeFirstUse(figures),
      verdicts: [figures.overview, figures.search],
    };
  },
};

/**
 * What the platform of a bench has beyond production: production has no webhook endpoints on this
 * machine.
 */
const settingsOf: Record<string, BenchSettings> = {
  webhooks: { NODE_ENV: 'development' },
  consoles: { withConsole: true },
  'first-use': { withConsole: true },
  idle: { withConsole: true },
  capacity: { withConsole: true },
};

const usage = `usage: npm run bench -- <all|${Object.keys(benches).join('|')}>... [--json] [--record] [--rounds 3] [--seconds 8]
--record adds the verdicts to tests/bench/history.json and writes docs/performance.md; of capacity it writes deploy/kubernetes/capacity.json.
Profiles of all processes, on Node 24 without npm: node --cpu-prof --cpu-prof-dir=<folder> tests/bench/run.ts <bench>.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
  },
});
const names = positionals.includes('all') ? Object.keys(benches) : positionals;
const isValid = names.length > 0 && names.every((name) => name in benches);
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
if (!isValid || !(rounds >= 1 && rounds <= 100 && seconds > 0 && seconds <= 300)) {
  console.error(usage);
  process.exit(2);
}

/** Runs one bench on a platform of its own and reads the memory of its processes at the end. */
async function run(name: string): Promise<Result> {
  const { memory, ...result } = await withPlatform(
    async (environment) => ({
      ...(await (benches[name] as (typeof benches)[string])(environment, {
        rounds,
        roundMs: seconds * 1000,
      })),
      memory: await readMemory(environment.platform.internalUrls),
    }),
    settingsOf[name],
  );
  return {
    ...result,
    figures: { ...result.figures, memory },
    text: `${result.text}\n\n${describeMemory(memory)}`,
  };
}

try {
  const figures: Record<string, object> = {};
  const verdicts: Verdict[] = [];
  for (const name of names) {
    const result = await run(name);
    figures[name] = result.figures;
    verdicts.push(...result.verdicts);
    if (values.record) result.record?.();
    if (!values.json) console.log(`${name}\n${result.text}\n`);
  }
  if (values.json) console.log(JSON.stringify(figures, null, 2));
  if (values.record && verdicts.length > 0) record(verdicts);
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
