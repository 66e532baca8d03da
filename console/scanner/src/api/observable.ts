import { useSyncExternalStore } from 'react';

/** A value that pages show, and that changes outside of them. */
export interface Observable<Value> {
  get(): Value;
  set(value: Value): void;
  /** Calls `onChange` after each change until the returned function is called. */
  subscribe(onChange: () => void): () => void;
}

export function observable<Value>(initial: Value): Observable<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}

export const useObservable = <Value>({ subscribe, get }: Observable<Value>): Value =>
  useSyncExternalStore(subscribe, get);
