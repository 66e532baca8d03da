/** The indexes of values that repeat an earlier one. */
export const repeatsOf = (values: readonly string[]): number[] =>
  values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []));
