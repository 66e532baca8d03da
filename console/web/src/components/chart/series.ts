/** One line of a chart. */
export interface Series {
  /** Required if two lines may have the same label. */
  id?: string;
  label: string;
  values: readonly (number | null)[];
  /** The line that the first one is compared with is dashed. */
  isComparison?: boolean;
}
