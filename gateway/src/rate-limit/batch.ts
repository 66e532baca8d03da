import type { CountReply } from '@event-api/platform/redis/connect';

/** Requests that one call to Redis counts. */
export interface CountBatch {
  /** The number of requests of each subject. */
  requestsOf: Map<string, number>;
  /** The keys of the requested tokens, each once, in the order of the reply. */
  tokenKeys: Set<string>;
}

/** A request's place in a batch. */
export interface BatchPlace {
  subject: string;
  /** 1 for the first request of its subject in the batch. */
  position: number;
  tokenKeys: readonly string[];
}

/** What Redis has counted and loaded for one request. */
export interface SharedCount {
  count: number;
  /** Milliseconds until the window ends. */
  leftMs: number;
  /** The fields and values of each token of the request. */
  tokens: string[][];
}

export const createCountBatch = (): CountBatch => ({
  requestsOf: new Map(),
  tokenKeys: new Set(),
});

/** Adds a request to a batch and returns its place. */
export function addToBatch(
  { requestsOf, tokenKeys: all }: CountBatch,
  subject: string,
  tokenKeys: readonly string[],
): BatchPlace {
  const position = (requestsOf.get(subject) ?? 0) + 1;
  requestsOf.set(subject, position);
  for (const key of tokenKeys) all.add(key);
  return { subject, position, tokenKeys };
}

/** The counts of a batch by subject, after its last request. */
export const countsOf = ({ requestsOf }: CountBatch, [, counts]: CountReply) =>
  new Map([...requestsOf.keys()].map((subject, i) => [subject, counts[i] ?? 0]));

/**
 * Returns for each place what a call for it alone would have returned: the requests of a subject
 * are counted in the order in which they were added.
 */
export function splitReply(
  batch: CountBatch,
  reply: CountReply,
): (place: BatchPlace) => SharedCount {
  const [leftMs, , tokens] = reply;
  const counts = countsOf(batch, reply);
  const tokenOf = new Map([...batch.tokenKeys].map((key, i) => [key, tokens[i] ?? []]));
  return ({ subject, position, tokenKeys }) => ({
    count: (counts.get(subject) ?? 0) - (batch.requestsOf.get(subject) ?? 0) + position,
    leftMs,
    tokens: tokenKeys.map((key) => tokenOf.get(key) ?? []),
  });
}
