import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { switchedProcess } from '@event-api/platform/testing/switches/switched-process';
import { withPlatform } from './environment.ts';
import { buyers, order, runFor, sale, startBuyers } from './sale.ts';
import { judge, type Verdict } from './verdicts.ts';

/**
 * Orders whose changes are written and reported in the feed, against orders without changes, on one
 * platform. A production process does not have this switch, so both run with the settings of a
 * test, which also check each response.
 */
export async function compareChanges(options: {
  rounds: number;
  roundMs: number;
}): Promise<Verdict> {
  const { rounds, roundMs } = options;
  const folder = mkdtempSync(join(tmpdir(), 'event-api-bench-switches-'));
  const path = join(folder, 'switches');
  const setChanges = (areWritten: boolean) =>
    writeFileSync(path, areWritten ? '' : 'off:changes.write');
  setChanges(true);
  try {
    return await withPlatform(
      async (environment) => {
        const send = await startBuyers(environment);
        const hot = await sale(send, 1_000_000);
        const perSecond = async (areWritten: boolean) => {
          setChanges(areWritten);
          return (await runFor(roundMs, () => order(send, hot), buyers)) / (roundMs / 1000);
        };
        await perSecond(true);
        const ratios: number[] = [];
        const baseline: number[] = [];
        for (let round = 1; round <= rounds; round++) {
          const without = await perSecond(false);
          const complete = await perSecond(true);
          baseline.push(without);
          ratios.push(complete / without);
          environment.progress.say(
            `round ${round}: ${complete.toFixed(0)} orders/s with changes, ${without.toFixed(0)} without`,
          );
        }
        const name = `orders with changes ÷ without, ${buyers} clients`;
        return judge({ name, atLeast: 0.85 }, { ratios, baseline });
      },
      switchedProcess(`file:${path}`),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
