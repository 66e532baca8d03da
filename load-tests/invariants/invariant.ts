/** The promises that the invariants verify. tests/drills/README.md describes each of them. */
export type InvariantName = `I${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9}`;

/** A condition that holds after any load, as a query for the rows that violate it. */
export interface Invariant {
  title: string;
  promise: InvariantName;
  /** Tables that the query reads. The invariant is skipped where one of them does not exist. */
  needs: string | readonly string[];
  sql: string;
}
