/** Changes that the feed has taken so far. */
export interface FeedLag {
  /** Those that were in the feed within 250 ms of their commit. */
  inTime: number;
  all: number;
}

/**
 * Reads how fast the feed has been since its process started. Errors: the process does not report
 * it.
 */
export async function readFeedLag(internalUrl: string): Promise<FeedLag> {
  const text = await (await fetch(`${internalUrl}/metrics`)).text();
  const valueIn = (series: string) => {
    const line = text.split('\n').find((each) => each.startsWith(series));
    if (line === undefined) throw new Error(`the feed does not report ${series}`);
    return Number(line.slice(line.lastIndexOf(' ')));
  };
  return {
    inTime: valueIn('changes_feed_lag_seconds_bucket{le="0.25"}'),
    all: valueIn('changes_feed_lag_seconds_count'),
  };
}

/** The share of the changes since an earlier reading that were in the feed in time. */
export const shareInTime = (before: FeedLag, after: FeedLag): number =>
  (after.inTime - before.inTime) / (after.all - before.all);
