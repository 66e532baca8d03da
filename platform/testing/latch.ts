/** A barrier at which the parties of a test wait for each other. */
export interface Latch {
  arrive(): Promise<void>;
}

/** Opens permanently when it has been reached `parties` times. */
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
