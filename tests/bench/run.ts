import { parseArgs } from 'node:util';
import { describeMemory, readMemory } from '@event-api/tools/platform/memory';
import { benchAdmission, describeAdmission } from './admission.ts';
import { benchBus, describeBus } from './bus.ts';
import { benchCheckin, describeCheckin } from './checkin.ts';
import { type BenchEnvironment, withPlatform } from './environment.ts';
import { benchGateway, describeGateway } from './gateway.ts';
import { benchJson, describeJson } from './json.ts';
import { benchLists, describeLists } from './lists.ts';
import { benchOrders, describeOrders } from './orders.ts';
import { benchWaitlist, describeWaitlist } from './waitlist.ts';

interface Options {
  rounds: number;
  roundMs: number;
}

/** The benches by name. Each returns its figures and the text to print. */
const benches: Record<
  string,
  (environment: BenchEnvironment, options: Options) => Promise<{ figures: object; text: string }>
> = {
  async gateway(environment, options) {
    const figures = await benchGateway(environment, options);
    return { figures, text: describeGateway(figures) };
  },
  async admission(environment, options) {
    const figures = await benchAdmission(environment, options);
    return { figures, text: describeAdmission(figures) };
  },
  async checkin(environment, options) {
    const figures = await benchCheckin(environment, options);
    return { figures, text: describeCheckin(figures) };
  },
  async bus(environment, options) {
    const figures = await benchBus(environment, options);
    return { figures, text: describeBus(figures) };
  },
  async json(environment, options) {
    const figures = await benchJson(environment, options);
    return { figures, text: describeJson(figures) };
  },
  async lists(environment, options) {
    const figures = await benchLists(environment, options);
    return { figures, text: describeLists(figures) };
  },
  async orders(environment, options) {
    const figures = await benchOrders(environment, options);
    return { figures, text: describeOrders(figures) };
  },
  async waitlist(environment) {
    const figures = await benchWaitlist(environment);
    return { figures, text: describeWaitlist(figures) };
  },
};

const usage = `usage: npm run bench -- <${Object.keys(benches).join('|')}> [--json] [--rounds 3] [--seconds 8]
Profiles of all processes: NODE_OPTIONS='--cpu-prof --cpu-prof-dir=<folder>'.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
  },
});
const bench = benches[positionals[0] ?? ''];
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
if (!bench || !(rounds >= 1 && rounds <= 100 && seconds > 0 && seconds <= 300)) {
  console.error(usage);
  process.exit(2);
}
try {
  const { figures, text, memory } = await withPlatform(async (environment) => ({
    ...(await bench(environment, { rounds, roundMs: seconds * 1000 })),
    memory: await readMemory(environment.platform.internalUrls),
  }));
  console.log(
    values.json
      ? JSON.stringify({ ...figures, memory }, null, 2)
      : `${text}\n\n${describeMemory(memory)}`,
  );
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
