import type { Passkeys } from '@event-api/contracts/console/passkeys';
import type { Sessions } from '@event-api/contracts/console/session';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { useClient } from './client.ts';

export type OpenSession = Sessions['sessions'][number];
export type Passkey = z.output<typeof Passkeys>['passkeys'][number];

/** The browsers in which the operator is signed in. */
export function useSessions() {
  const client = useClient();
  return useQuery({
    queryKey: ['sessions'],
    queryFn: () => client.request<Sessions>({ path: '/api/sessions' }),
  });
}

/**
 * The passkeys of the operator. Without `isEnabled` the console has an identity provider instead.
 */
export function usePasskeys(isEnabled: boolean) {
  const client = useClient();
  return useQuery({
    queryKey: ['passkeys'],
    queryFn: () => client.request<{ passkeys: Passkey[] }>({ path: '/api/passkeys' }),
    enabled: isEnabled,
  });
}
