import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Client } from './client.ts';
import { useClient } from './client.ts';
import { ApiError } from './error.ts';

/** A business unit of the operator, with the role in it and what the role permits. */
export interface SessionUnit {
  id: string;
  name: string;
  defaultCurrency: string;
  role: string;
  permissions: readonly string[];
}

export interface Session {
  operator: { id: string; name: string; email: string | null; platformAdmin: boolean };
  units: readonly SessionUnit[];
  expiresAt: string;
  /** Where integrators reach the API and its guides, if the console knows it. */
  gatewayUrl: string | null;
  /** The cell of this deployment; null for the default cell. */
  cell: string | null;
}

export interface SignInMethods {
  oidc: { label: string } | null;
  passkeys: boolean;
  /** One-click operators of the identity sandbox. */
  demo: readonly { label: string; hint: string; href: string }[];
}

export const sessionKey = ['session'] as const;

/** The session, or null without one. */
export const sessionQuery = (client: Client) =>
  queryOptions({
    queryKey: sessionKey,
    staleTime: 60_000,
    queryFn: async (): Promise<Session | null> => {
      try {
        return await client.request<Session>({ path: '/api/session' });
      } catch (error) {
        if (error instanceof ApiError && error.code === 401) return null;
        throw error;
      }
    },
  });

export const useSession = () => useQuery(sessionQuery(useClient()));

/**
 * Whether an invitation can be for one email: only an identity provider verifies the emails of
 * people.
 */
export const useHasVerifiedEmails = (): boolean => Boolean(useSignInMethods().data?.oidc);

export function useSignInMethods() {
  const client = useClient();
  return useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: () => client.request<SignInMethods>({ path: '/api/sign-in/methods' }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
