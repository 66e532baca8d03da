import { afterAll, beforeAll } from 'vitest';
import { startGateway, startUpstream, type TestGateway } from './harness.ts';

/** The gateway of the test file. */
export let gateway: TestGateway;
/** The service to which it forwards. */
export let upstream: Awaited<ReturnType<typeof startUpstream>>;
/** A key with a rate limit that no test reaches. */
export let testKey: Awaited<ReturnType<TestGateway['createKey']>>;

/**
 * Starts a gateway and a service behind it for the tests of a file. The variables of this module
 * are set before the first test.
 */
export function useGateway(): void {
  beforeAll(async () => {
    upstream = await startUpstream();
    gateway = await startGateway({ catalogUrl: upstream.url });
    testKey = await gateway.createKey({ rateLimitPerMinute: 1_000_000 });
  });
  afterAll(async () => {
    await gateway?.close();
    await upstream?.close();
  });
}
