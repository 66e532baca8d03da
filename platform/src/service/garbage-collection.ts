import { setFlagsFromString } from 'node:v8';

/**
 * Sets how V8 collects the garbage of a process. It must run before the code that serves requests
 * is compiled. Source: ADR 0051.
 *
 * - The old generation may grow to four times its size before a major collection, as V8 allows for a
 *   heap that grows quickly. Otherwise a heap of 50 MB grows by a few megabytes, so that a process
 *   under a moderate load collects every few seconds.
 * - Objects are always allocated in the young generation. Otherwise V8 allocates those of a statement
 *   in the old generation once most of its early objects have survived a collection. In a server
 *   these are objects of requests in progress, and the timing of the first requests decides.
 */
export function configureGarbageCollection(): void {
  setFlagsFromString('--heap-growing-percent=300');
  setFlagsFromString('--no-allocation-site-pretenuring');
}
