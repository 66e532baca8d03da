import { Agent } from 'undici';

/** The connections to the services, none of which may keep a request waiting for longer than `timeoutMs`. */
export const createUpstreamAgent = (timeoutMs: number): Agent =>
  new Agent({
    connections: 64,
    connect: { timeout: 1000 },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: 16_384,
  });
