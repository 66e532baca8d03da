/** Where the parties of a test wait until all of them have arrived. */
export interface Gate {
  arrive(): Promise<void>;
}

/** Opens for good once it was reached `parties` times. */
export function gate(parties: number): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return {
    arrive() {
      arrived += 1;
      if (arrived >= parties) resolve();
      return promise;
    },
  };
}
