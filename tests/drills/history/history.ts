import type { Acknowledgement } from './acknowledgements.ts';
import type { FailedRequest, RepeatedRequest } from './responses.ts';

/** What the clients have observed. */
export interface History {
  acknowledgements: Acknowledgement[];
  /**
   * Number of responses per operation and status; `cut` and `timeout` count requests without a
   * response.
   */
  responses: Record<string, Record<string, number>>;
  failedRequests: FailedRequest[];
  repeatedRequests: RepeatedRequest[];
  /** Requests without a definite response, whose outcome is unknown. There must be none. */
  unknown: { operation: string; reference: string }[];
  /** Records the acknowledgements with the present time. */
  acknowledge(...acknowledgements: Acknowledgement[]): void;
  /** When it was acknowledged, as `performance.now()`. */
  acknowledgedAt(acknowledgement: Acknowledgement): number;
  /** Ids of records that a restored backup did not contain. They are no longer guaranteed. */
  lost: Set<string>;
  /** Acknowledgements that a restore has made untrue. */
  undone: Set<Acknowledgement>;
  /** The operator commands of recoveries, in their order. */
  commands: string[];
  /** Violations detected in responses, by title. */
  broken: Record<string, unknown[]>;
  count(operation: string, response: string): void;
  breaks(title: string, row: unknown): void;
  /** Number of all responses and of definite responses. */
  totals(): { responses: number; acknowledged: number };
}

export function createHistory(): History {
  const responses: Record<string, Record<string, number>> = {};
  const broken: Record<string, unknown[]> = {};
  const times = new Map<Acknowledgement, number>();
  const acknowledgements: Acknowledgement[] = [];
  let total = 0;
  let acknowledged = 0;
  return {
    acknowledgements,
    acknowledge(...each) {
      for (const one of each) times.set(one, performance.now());
      acknowledgements.push(...each);
    },
    acknowledgedAt: (one) => times.get(one) ?? 0,
    failedRequests: [],
    repeatedRequests: [],
    unknown: [],
    lost: new Set(),
    undone: new Set(),
    commands: [],
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
