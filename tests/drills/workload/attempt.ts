import { OperatorError, PlatformUnreachableError } from '@event-api/tools/admin/operator-client';
import type { History } from '../history/history.ts';

/**
 * Runs operator commands once and counts the outcome. A rejection and an unavailable platform are
 * no errors.
 */
export async function attemptCommand(
  history: History,
  operation: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
    history.count(operation, '200');
  } catch (error) {
    if (error instanceof OperatorError) {
      history.count(operation, String(error.status));
      if (error.status === 500)
        history.breaks('operator commands never respond with 500', error.message);
    } else if (error instanceof PlatformUnreachableError) {
      history.count(operation, 'cut');
    } else throw error;
  }
}
