import type { DrillEnvironment } from '../environment/environment.ts';
import type { SaleFixture } from '../environment/sales.ts';
import type { History } from '../history/history.ts';
import { createMirror } from './mirror.ts';
import { createReader } from './reader.ts';

export interface FollowedFeed {
  /** Gaps, repeats, wrong digests, and changes that do not connect. */
  violations: unknown[];
  /** Records that differ between a copy and the lists. */
  differences: unknown[];
  /** The number of changes that were followed, and how often a copy began again. */
  changes: number;
  resets: number;
}

/** Copies of all business units that follow the change feed during a drill. */
export interface FollowedFeeds {
  /** Follows the feeds to their end, compares the copies with the lists, and returns the result. */
  finish(): Promise<FollowedFeed>;
}

/** Starts one copy for each business unit of `sales`. */
export function followFeeds(
  environment: DrillEnvironment,
  sales: readonly SaleFixture[],
  history: History,
): FollowedFeeds {
  const ending = new AbortController();
  // A fault may replace the key of a sale.
  const units = [...new Map(sales.map((sale) => [sale.unitId, sale])).values()];
  const mirrors = units.map((sale) => {
    const secret = () => sale.key.secret;
    return createMirror(createReader({ baseUrl: environment.gatewayUrl, secret, history }));
  });
  const following = mirrors.map((mirror) => mirror.follow(ending.signal));
  for (const each of following) each.catch(() => {});
  return {
    async finish() {
      ending.abort();
      await Promise.all(following);
      const differences = await Promise.all(mirrors.map((mirror) => mirror.differences()));
      const totals = mirrors.map((mirror) => mirror.totals());
      return {
        violations: mirrors.flatMap((mirror) => mirror.violations),
        differences: differences.flat(),
        changes: totals.reduce((sum, { changes }) => sum + changes, 0),
        resets: totals.reduce((sum, { resets }) => sum + resets, 0),
      };
    },
  };
}
