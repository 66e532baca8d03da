const PREFIX = 'Load test ';

/** The name of a business unit of a run, by which `load.end` recognizes it. */
export const loadUnitName = (run: string, number: number): string =>
  `${PREFIX}${run} ${number + 1}`;

export const isLoadUnit = (name: string): boolean => name.startsWith(PREFIX);
