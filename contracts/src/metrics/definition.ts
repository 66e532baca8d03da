/** A metric. `definitions.ts` says which values its attributes may have. */
export interface MetricDefinition {
  kind: 'counter' | 'histogram' | 'gauge' | 'observed counter';
  /** In UCUM notation: `s`, `By`, `1`, or the counted thing in braces. */
  unit: string;
  description: string;
  attributes: readonly string[];
  /** Upper bounds of a histogram's buckets, in its unit. */
  buckets?: readonly number[];
}

/** Bucket bounds of batch sizes. */
export const batchSizes = [1, 2, 4, 8, 16, 32, 64, 128, 256];
