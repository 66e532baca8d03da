/** One line of a chart. */
export interface Series {
  label: string;
  values: readonly (number | null)[];
  /** The line that the first one is compared with is dashed. */
  isComparison?: boolean;
}
