import { Readable } from 'node:stream';

/** Bodies up to this size are written at once. */
export const sliceBytes = 64 * 1024;

/**
 * Streams `body` in slices, without a copy. A socket then shows after each slice that its client
 * reads, and waits with one slice in its queue instead of the whole body.
 */
export function sliced(body: Buffer): Readable {
  let offset = 0;
  return new Readable({
    highWaterMark: sliceBytes,
    read() {
      const slice = body.subarray(offset, offset + sliceBytes);
      offset += slice.length;
      this.push(slice.length > 0 ? slice : null);
    },
  });
}
