import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

/**
 * Keeps what the provider stores in memory: a restart ends all sign-ins. The provider itself checks
 * when entries expire.
 */
export function createMemoryAdapter(): AdapterFactory {
  const entries = new Map<string, AdapterPayload>();
  return (kind): Adapter => {
    const keyOf = (id: string) => `${kind}:${id}`;
    const find = (matches: (payload: AdapterPayload) => boolean) =>
      [...entries].find(([key, payload]) => key.startsWith(`${kind}:`) && matches(payload))?.[1];
    return {
      async upsert(id, payload) {
        entries.set(keyOf(id), payload);
      },
      find: async (id) => entries.get(keyOf(id)),
      findByUid: async (uid) => find((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => find((payload) => payload.userCode === userCode),
      async consume(id) {
        const payload = entries.get(keyOf(id));
        if (payload) payload.consumed = true;
      },
      async destroy(id) {
        entries.delete(keyOf(id));
      },
      async revokeByGrantId(grantId) {
        for (const [key, payload] of entries) if (payload.grantId === grantId) entries.delete(key);
      },
    };
  };
}
