import type { Acknowledgement } from './acknowledgements.ts';
import type { Refusal } from './responses.ts';

/** What clients have seen, and nothing that they have not. */
export interface History {
  acknowledgements: Acknowledgement[];
  /** How often each operation was answered how: by status, or `cut` and `silence`. */
  responses: Record<string, Record<string, number>>;
  refusals: Refusal[];
  /** Requests that were given up, of which there should be none: what became of them nobody here knows. */
  unknown: { operation: string; reference: string }[];
  /** Ids of records that an earlier copy of a database did not have yet: nobody promises those any more. */
  lost: Set<string>;
  /** Promises that an answer itself has broken, by title, with what was seen. */
  broken: Record<string, unknown[]>;
  count(operation: string, response: string): void;
  breaks(title: string, row: unknown): void;
  /** All answers, and those of them that were definite. */
  totals(): { responses: number; acknowledged: number };
}

export function createHistory(): History {
  const responses: Record<string, Record<string, number>> = {};
  const broken: Record<string, unknown[]> = {};
  let total = 0;
  let acknowledged = 0;
  return {
    acknowledgements: [],
    refusals: [],
    unknown: [],
    lost: new Set(),
    responses,
    broken,
    count(operation, response) {
      total += 1;
      if (/^[234]/.test(response)) acknowledged += 1;
      responses[operation] ??= {};
      responses[operation][response] = (responses[operation][response] ?? 0) + 1;
    },
    breaks(title, row) {
      broken[title] ??= [];
      broken[title].push(row);
    },
    totals: () => ({ responses: total, acknowledged }),
  };
}
