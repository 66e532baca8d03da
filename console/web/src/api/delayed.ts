import type { DelayedMessages } from '@event-api/contracts/console/parts';
import { useQuery } from '@tanstack/react-query';
import { useClient } from './client.ts';

const refetchMs = 10_000;
const none: readonly string[] = [];

/**
 * The services whose messages wait, so that the records of others are shown as they were. It is
 * read again every ten seconds while the page is visible; a failure changes nothing.
 */
export function useDelayedServices(options: { isEnabled: boolean }): readonly string[] {
  const client = useClient();
  const { data = none } = useQuery({
    queryKey: ['messages'],
    queryFn: async ({ signal }) => {
      const { delayed } = await client.request<DelayedMessages>({ path: '/api/messages', signal });
      return delayed;
    },
    enabled: options.isEnabled,
    refetchInterval: refetchMs,
  });
  return options.isEnabled ? data : none;
}
