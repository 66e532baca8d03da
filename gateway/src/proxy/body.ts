import { limits } from '@event-api/contracts/http/fields';
import { ApiError, deadlineExceeded } from '@event-api/platform/core/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Slots } from './read-slots.ts';

/** Twice the maximum size of a page. */
const maxResponseBytes = 4 * 1024 * 1024;

/** Collects the bytes of a body as they arrive. */
interface Collector {
  add(chunk: Buffer): void;
  body(): Buffer;
}

/** For bodies of one or few chunks. */
function collectChunks(): Collector {
  const chunks: Buffer[] = [];
  return {
    add: (chunk) => void chunks.push(chunk),
    body: () => (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
  };
}

/**
 * For large bodies: each chunk can be freed immediately, so the memory in use is one copy of the
 * body.
 */
function collectInto(buffer: Buffer): Collector {
  let end = 0;
  return {
    add(chunk) {
      end += chunk.copy(buffer, end);
    },
    body: () => buffer.subarray(0, end),
  };
}

/** Limits the memory of a large body. */
export interface LargeBody {
  /** The value of the service's Content-Length. */
  bytes: number;
  slots: Slots;
  /** Returns whether the client has disconnected, so that the body need not be read. */
  isAbandoned: () => boolean;
}

/** Receives a body. */
export interface BodyReader {
  onData(chunk: Buffer): void;
  /** Called once: with null when the body is complete, otherwise with the error that ended it. */
  onEnd(error: Error | null): void;
}

/** A body that a service sends. Nothing of it is read before `resume`. */
export interface BodySource {
  /** Sets the reader, once. An error reaches it also before `resume`. */
  attach(reader: BodyReader): void;
  resume(): void;
  /** Closes the connection to the service. The reader gets the error. */
  destroy(error?: Error): void;
}

/**
 * Reads a complete response body of a service. Nothing is sent to the client before it is complete,
 * so a truncated response never looks complete. A large body is read when a slot is free.
 *
 * Errors: when the response ends early or exceeds 4 MiB; 504 when it takes longer than `timeoutMs`.
 */
export function readBody(
  source: BodySource,
  timeoutMs: number,
  large?: LargeBody,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let collector = collectChunks();
    let bytes = 0;
    let isOver = false;
    let freeSlot: (() => void) | undefined;
    // undici limits only the time between two chunks, so a slow stream of chunks would never time
    // out.
    const deadline = setTimeout(() => source.destroy(deadlineExceeded()), timeoutMs);
    source.attach({
      onData(chunk) {
        bytes += chunk.length;
        if (bytes > maxResponseBytes) source.destroy(new Error('the response is too large'));
        else collector.add(chunk);
      },
      onEnd(error) {
        isOver = true;
        clearTimeout(deadline);
        freeSlot?.();
        if (error) reject(error);
        else resolve(collector.body());
      },
    });
    if (!large) return source.resume();
    void large.slots.take().then((free) => {
      if (large.isAbandoned()) source.destroy();
      if (isOver) return free();
      freeSlot = free;
      if (large.bytes <= maxResponseBytes)
        collector = collectInto(Buffer.allocUnsafeSlow(large.bytes));
      source.resume();
    });
  });
}

/**
 * Rejects compressed bodies and charsets other than UTF-8, which services cannot read. The body of
 * a read is ignored.
 * Errors: 415.
 */
export function rejectUnsupportedEncodings({ method, headers }: FastifyRequest): void {
  if (method === 'GET' || method === 'HEAD') return;
  const encoding = headers['content-encoding'];
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw new ApiError(415, 'The body must not be compressed');
  }
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset && charset.toLowerCase() !== 'utf-8') {
    throw new ApiError(415, 'The body must be UTF-8');
  }
}

/** Accepts JSON bodies as bytes, which are forwarded. Errors: 413, 415. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.addHook('preParsing', function bodyType(request, _reply, _payload, done) {
    rejectUnsupportedEncodings(request);
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: limits.bodyBytes },
    // The proxy would serialize an empty buffer as a JSON object.
    (_request, body, done) => done(null, body.length === 0 ? undefined : body),
  );
}
