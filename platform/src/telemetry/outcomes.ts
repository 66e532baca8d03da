import { ApiError } from '../core/errors.ts';

/**
 * Runs `work` and counts its outcome: `outcomeOf` the result, or the reason of the rejection.
 * Errors: those of `work`.
 */
export async function countOutcome<Result>(
  count: (outcome: string) => void,
  outcomeOf: (result: Result) => string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work();
    count(outcomeOf(result));
    return result;
  } catch (error) {
    count(rejectionReason(error));
    throw error;
  }
}

/**
 * The reason of a rejection, from a small set: the reason of a business rule, the code of the first
 * invalid field, `not_found`, `conflict`, `failed` for server errors, or `refused` for others, such
 * as a missing permission.
 */
export function rejectionReason(error: unknown): string {
  if (!(error instanceof ApiError) || error.code >= 500) return 'failed';
  const [first] = (error.details ?? []) as { reason?: string; code?: string }[];
  if (error.code === 412 && first?.reason) return first.reason.toLowerCase();
  if (error.code === 400 && first?.code) return first.code;
  return words[error.code] ?? 'refused';
}

const words: Record<number, string> = { 404: 'not_found', 409: 'conflict' };
