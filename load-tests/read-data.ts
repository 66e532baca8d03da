import { readFileSync } from 'node:fs';
import type { ScenarioName } from '@event-api/tools/load/scenarios';
import { TestData } from '@event-api/tools/load/test-data';
import { UsageError } from './arguments.ts';

/**
 * Reads the output of `load.prepare` for this scenario.
 * Errors: UsageError for a file that is not readable, no such output, or of another scenario.
 */
export function readTestData(file: string, name: ScenarioName): TestData {
  const parsed = TestData.safeParse(readJson(file));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join('.') || 'it';
    throw new UsageError(`${file} is not the output of load.prepare: ${field} ${issue?.message}`);
  }
  if (parsed.data.scenario !== name) {
    throw new UsageError(`${file} was prepared for ${parsed.data.scenario}, not for ${name}`);
  }
  return parsed.data;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
}
