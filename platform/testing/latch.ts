/** Where the parties of a test wait until all of them have arrived. */
export interface Latch {
  arrive(): Promise<void>;
}

/** Opens for good once it was reached `parties` times. */
export function createLatch(parties: number): Latch {
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
