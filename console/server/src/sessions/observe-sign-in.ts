import type { Metrics } from '@event-api/platform/telemetry/metrics';

/** Carries out the end of a sign-in and counts whether it succeeds. Errors: those of `complete`. */
export type ObserveSignIn = <Result>(
  method: 'oidc' | 'passkey',
  complete: () => Promise<Result>,
) => Promise<Result>;

/**
 * Counts sign-ins. An error of the platform is a failed one, too, because the person is not signed
 * in.
 */
export function createSignInObserver(metrics: Metrics): ObserveSignIn {
  const count = metrics.counter('console.sign_ins');
  return async (method, complete) => {
    try {
      const result = await complete();
      count({ method, result: 'succeeded' });
      return result;
    } catch (error) {
      count({ method, result: 'failed' });
      throw error;
    }
  };
}
