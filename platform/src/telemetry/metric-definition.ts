export interface MetricDefinition {
  kind: 'counter' | 'histogram' | 'gauge' | 'observed counter';
  /** In UCUM notation: `s`, `By`, `1`, or the counted thing in braces. */
  unit: string;
  description: string;
  attributes: readonly string[];
  /** Upper bounds of a histogram's buckets, in its unit. */
  buckets?: readonly number[];
}
