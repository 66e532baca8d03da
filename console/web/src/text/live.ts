export const liveText = {
  connecting: (_age: string) => 'Connecting',
  connected: (_age: string) => 'Live',
  reconnecting: (age: string) => `Reconnecting${age && `, updated ${age}`}`,
  stale: (age: string) => `Not live${age && `, updated ${age}`}`,
} as const;
