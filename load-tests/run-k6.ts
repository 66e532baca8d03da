import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '@event-api/provisioning/secret-files';
import type { TestData } from '@event-api/tools/load/test-data';
import { renderReport } from './chart/report.ts';
import { describeSteps } from './chart/steps.ts';
import { readSamples } from './chart/time-series.ts';

export interface Load {
  k6: string;
  data: TestData;
  /** Address of the gateway; by default that of the data. */
  target?: string | undefined;
  /** Address of the payment page, if the browsers' address does not lead there. */
  payments?: string | undefined;
  /** Directory of the results. */
  results: string;
}

/**
 * Runs the k6 script of the scenario, and writes its summary and pictures into `results`. Returns
 * whether all thresholds hold, and the figures of each step.
 * Errors: k6 does not start; those of the files.
 */
export async function runK6({ k6, data, target, payments, results }: Load) {
  mkdirSync(results, { recursive: true });
  const script = join(import.meta.dirname, 'scenarios', `${data.scenario}.ts`);
  const samples = join(results, 'samples.csv');
  // The data contains keys. It is a file because an environment has no room for it.
  const dataFile = join(results, 'test-data.json');
  writePrivateFile(dataFile, JSON.stringify(data));
  try {
    const env = {
      ...process.env,
      TEST_DATA_FILE: dataFile,
      TARGET_URL: target ?? '',
      ...(payments && { PAYMENTS_AT: payments.replace(/\/+$/, '') }),
      RESULTS: results,
      K6_NO_USAGE_REPORT: 'true',
      K6_CSV_TIME_FORMAT: 'unix_milli',
    };
    const out = ['--out', `csv=${samples}`];
    const { status } = spawnSync(k6, ['run', '--quiet', ...out, script], { env, stdio: 'inherit' });
    if (!existsSync(samples)) throw new Error('k6 has not started');
    const read = await readSamples(samples);
    const title = `${data.scenario}: ${data.rate} per second for ${data.seconds} s`;
    const seats = data.seats * data.events.length;
    writeFileSync(join(results, 'report.svg'), renderReport(title, read, { seats }));
    return { isPassed: status === 0, steps: describeSteps(read.steps) };
  } finally {
    // The pictures, JSON and JUnit remain; the samples of a long run would fill the disk.
    rmSync(samples, { force: true });
    rmSync(dataFile, { force: true });
  }
}
