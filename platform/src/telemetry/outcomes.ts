import { ApiError } from '../core/errors.ts';

/**
 * Does `work` and counts how it ends: with `outcomeOf` what it answers, or with the reason for which it was
 * refused. Errors: those of `work`.
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
 * Why a request is refused, in a word of a small set: the reason of a business rule, the code of the first
 * field that is wrong, `not_found`, `conflict`, or `failed` for what is not the caller's fault.
 */
export function rejectionReason(error: unknown): string {
  if (!(error instanceof ApiError) || error.code >= 500) return 'failed';
  const [first] = (error.details ?? []) as { reason?: string; code?: string }[];
  if (error.code === 412 && first?.reason) return first.reason.toLowerCase();
  if (error.code === 400 && first?.code) return first.code;
  return words[error.code] ?? 'refused';
}

const words: Record<number, string> = { 404: 'not_found', 409: 'conflict' };
