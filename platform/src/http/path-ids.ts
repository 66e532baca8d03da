import { storableIssue } from '@event-api/contracts/http/fields';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../core/errors.ts';

/** Responds with 404 to an id that no stored record can have, such as one with a NUL. */
export function rejectMalformedIds(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ params }) => {
    const ids = Object.values((params ?? {}) as Record<string, string>);
    if (ids.some((id) => storableIssue(id) !== null)) throw notFound();
  });
}
