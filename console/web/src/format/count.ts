/** "1,204" */
export const formatCount = (count: number): string => new Intl.NumberFormat('en-GB').format(count);

/** "1 person", "12 people". */
export const plural = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
