/** A measurement of a request whose trace is exported. */
export interface Exemplar {
  value: number;
  traceId: string;
  /** Unix time in milliseconds. */
  atMs: number;
}

type Attributes = Readonly<Record<string, unknown>>;

/** The latest exemplar of each bucket of a histogram. */
export interface Exemplars {
  record(exemplar: Exemplar, attributes: Attributes): void;
  /** The exemplars of one series, by the index of their bucket. */
  of(attributes: Attributes): readonly (Exemplar | undefined)[];
}

/** Creates the exemplars of a histogram with these upper bounds of its buckets. */
export function createExemplars(bounds: readonly number[]): Exemplars {
  const series = new Map<string, (Exemplar | undefined)[]>();
  return {
    record(exemplar, attributes) {
      const key = keyOf(attributes);
      const found = series.get(key) ?? [];
      const index = bounds.findIndex((bound) => exemplar.value <= bound);
      found[index === -1 ? bounds.length : index] = exemplar;
      series.set(key, found);
    },
    of: (attributes) => series.get(keyOf(attributes)) ?? [],
  };
}

/** The SDK joins attributes in any order to one series. */
const keyOf = (attributes: Attributes): string =>
  JSON.stringify(Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1)));
