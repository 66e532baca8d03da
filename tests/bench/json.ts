import { createKey } from '@event-api/contracts/operator/keys';
import { createUnit } from '@event-api/contracts/operator/units';
import { parseBody } from '@event-api/platform/http/json-parser';
import { strictValidatorCompiler } from '@event-api/platform/http/validation';
import type { BenchEnvironment } from './environment.ts';
import { type LargeBody, largeBodies } from './json-bodies.ts';
import { getRequest, type LoadProcess, postHead, startLoadProcess } from './load/run-load.ts';
import { median } from './statistics.ts';

/** Concurrent POSTs of 1 MiB with one key. */
const parallelPosts = 8;

interface ParseFigures {
  name: string;
  /** `JSON.parse` of the text, without a reviver. */
  plainMs: number;
  /** The work per request: decoding, parsing and validation. */
  requestMs: number;
  ratio: number;
}

interface NeighborFigures {
  name: string;
  /** Response times of reads of another business unit, without and with the POSTs. */
  aloneP50Ms: number;
  besideP50Ms: number;
  ratio: number;
  /** Large bodies rejected per second during the measurement. */
  postsPerSecond: number;
}

export interface JsonFigures {
  parsing: ParseFigures[];
  neighbor: NeighborFigures[];
}

/**
 * Measures what bodies of 1 MiB cost the process that parses them, and requests of another business
 * unit.
 */
export async function benchJson(
  environment: BenchEnvironment,
  options: { rounds: number; roundMs: number },
): Promise<JsonFigures> {
  const parsing = largeBodies.map((body) => measureParsing(body, options.rounds));
  const neighbor = await measureNeighbor(environment, options);
  return { parsing, neighbor };
}

function measureParsing({ name, operation, json }: LargeBody, rounds: number): ParseFigures {
  const bytes = Buffer.from(json);
  const schema = operation.schema.body;
  if (!schema) throw new Error(`${operation.config.operationId} has no body`);
  const validate = strictValidatorCompiler(operation)({
    schema,
    httpPart: 'body',
    method: operation.method,
    url: operation.url,
  });
  const plain: number[] = [];
  const request: number[] = [];
  // The first round is not counted: it compiles the code.
  for (let round = 0; round <= rounds * 5; round++) {
    plain.push(timeOf(() => JSON.parse(json)));
    request.push(timeOf(() => validate(parseBody(bytes))));
  }
  const [plainMs, requestMs] = [median(plain.slice(1)), median(request.slice(1))];
  return { name, plainMs, requestMs, ratio: requestMs / plainMs };
}

function timeOf(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

/**
 * Measures reads of one business unit through the gateway, first without other load, then while a
 * key of another business unit sends large bodies.
 */
async function measureNeighbor(
  { platform, operator, progress, onEnd }: BenchEnvironment,
  { rounds, roundMs }: { rounds: number; roundMs: number },
): Promise<NeighborFigures[]> {
  const url = platform.apiUrls.gateway ?? '';
  const headersOfUnit = async (name: string): Promise<Record<string, string>> => {
    const unit = await operator.call(createUnit, { name });
    const limit = { rateLimitPerMinute: 10_000_000 };
    const key = await operator.call(createKey, { businessUnitId: unit.id, name, ...limit });
    return { authorization: `Bearer ${key.secret}` };
  };
  const [reader, poster] = [await headersOfUnit('Reader'), await headersOfUnit('Poster')];
  const loads = [startLoadProcess(), startLoadProcess()] as const;
  for (const load of loads) onEnd(load.stop);
  const read = (load: LoadProcess) =>
    load.run({
      url,
      connections: 1,
      durationMs: roundMs,
      head: getRequest('/v1/events', reader),
    });
  const figures: NeighborFigures[] = [];
  for (const { name, json } of largeBodies.filter(
    ({ operation }) => operation.url === '/v1/events',
  )) {
    const alone: number[] = [];
    const beside: number[] = [];
    const posts: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      alone.push((await read(loads[0])).p50Ms);
      const job = { url, connections: parallelPosts, durationMs: roundMs, expected: [201, 400] };
      const sending = loads[1].run({ ...job, head: postHead('/v1/events', poster), body: json });
      beside.push((await read(loads[0])).p50Ms);
      posts.push((await sending).perSecond);
      progress.say(
        `round ${round} ${name}: p50 ${alone.at(-1)} ms alone, ${beside.at(-1)} ms beside`,
      );
    }
    const [aloneP50Ms, besideP50Ms] = [median(alone.slice(1)), median(beside.slice(1))];
    const ratio = median(beside.slice(1).map((ms, round) => ms / (alone[round + 1] ?? Number.NaN)));
    const postsPerSecond = median(posts.slice(1));
    figures.push({ name, aloneP50Ms, besideP50Ms, ratio, postsPerSecond });
  }
  return figures;
}

const parsingLine = ({ name, plainMs, requestMs, ratio }: ParseFigures): string =>
  `${name.padEnd(36)} ${requestMs.toFixed(1).padStart(7)} ms, JSON.parse ${plainMs.toFixed(1).padStart(7)} ms: ${ratio.toFixed(2)}`;

const neighborLine = (figures: NeighborFigures): string =>
  [
    figures.name.padEnd(36),
    `p50 ${figures.aloneP50Ms.toFixed(1)} ms alone,`,
    `${figures.besideP50Ms.toFixed(1)} ms beside ${figures.postsPerSecond.toFixed(0)} POST/s:`,
    figures.ratio.toFixed(2),
  ].join(' ');

/** Formats the figures as text. */
export const describeJson = ({ parsing, neighbor }: JsonFigures): string =>
  [
    'Parsing and validating 1 MiB against JSON.parse:',
    ...parsing.map(parsingLine),
    `A read of another business unit, while one key sends ${parallelPosts} POSTs of 1 MiB at a time:`,
    ...neighbor.map(neighborLine),
  ].join('\n');
