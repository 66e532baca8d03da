import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** The `ETag` of a content: the same for the same JSON. */
export const etagOf = (content: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)}"`;

/**
 * Whether an `If-None-Match` names a tag, by the weak comparison of RFC 9110 section 13.1.2. A
 * proxy that compresses a response makes its tag a weak one, which matches, too.
 */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')));

/**
 * Sends a 304, which has no body. Its type is that of any response: the contract of an operation
 * lists those with a body.
 */
export const sendNotModified = (reply: object): never =>
  (reply as FastifyReply).code(304).send() as never;
