import { operation } from '@event-api/contracts/operation';
import { invalidArgument } from '@event-api/platform/core/errors';
import { z } from 'zod';
import { type LoadedPlatform, prepare } from './prepare.ts';
import { scenarioNames, scenarioOf } from './scenarios.ts';
import { TestData } from './test-data.ts';

const Input = z.object({
  scenario: z.enum(scenarioNames).meta({
    description: 'The scenario; load-tests/README.md describes each',
    example: 'on-sale',
  }),
  rate: z.int().min(1).max(100_000).optional().meta({
    description: 'Requests, buyers or scans per second',
  }),
  seconds: z.int().min(1).max(86_400).optional().meta({ description: 'Seconds at that rate' }),
  seats: z.int().min(1).max(1_000_000).optional().meta({
    description: 'The scarce seats of each event',
  }),
  hesitation: z.number().min(0).max(1).optional().meta({
    description: 'Factor of the 5 to 120 seconds before a buyer pays, 0.02 by default',
  }),
  units: z.int().min(1).max(100).optional().meta({ description: 'Business units' }),
  events: z.int().min(1).max(100).optional().meta({ description: 'Events of each unit' }),
  isFree: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether the seats have no price: for a real payment provider' }),
});

/**
 * Creates what a load test needs. The admin tool carries it out with operator commands and with the
 * API, so no service has code for load tests.
 */
export const prepareLoad = operation({
  method: 'POST',
  url: '/operator/load.prepare',
  config: {
    tag: 'Load tests',
    owner: 'gateway',
    audience: 'operator',
    operationId: 'load.prepare',
    isOnce: true,
    permission: 'platform',
    summary: 'Create business units, events, keys and scanners for a load test',
    description:
      'The response is the data of `npm run load -- <scenario> --data <file>`. Its keys have no rate limit: end them with `load.end` after the run.',
  },
  schema: {
    body: Input,
    response: { 201: TestData },
  },
});

/** Carries out `load.prepare`. Errors: 400 for figures that do not fit; those of the platform. */
export async function prepareByCommand(
  platform: LoadedPlatform,
  { scenario: name, isFree, ...overrides }: z.output<typeof Input>,
): Promise<TestData> {
  const choice = scenarioOf(name, overrides);
  if (choice.outcome === 'misfit') {
    const { field, issue } = choice;
    throw invalidArgument([{ field, issue, code: 'invalid_value' }]);
  }
  const run = process.hrtime.bigint().toString(36);
  return prepare(platform, { name, scenario: choice.scenario, run, isFree });
}
