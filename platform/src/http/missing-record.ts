import type { FastifyRequest } from 'fastify';
import { ApiError, type RecordKind } from '../core/errors.ts';

/**
 * The 404 of an operator command with the field whose id was not found. An operator may see every business unit, so
 * naming the record reveals nothing; for integrators all 404s are the same.
 */
export function nameMissingRecord(error: ApiError, request: FastifyRequest): ApiError {
  const { missing } = error;
  if (!missing || request.routeOptions.config?.audience !== 'operator') return error;
  const field = fieldOf(missing, request.body);
  if (field === undefined) return error;
  const issue = `is not the id of ${withOwner(missing)}`;
  const details = [{ field, issue, code: 'not_found' }];
  return new ApiError(404, `${field} ${issue}`, { details });
}

function fieldOf(kind: RecordKind, body: unknown): string | undefined {
  const fields = typeof body === 'object' && body !== null ? body : {};
  return [`${kind}Id`, 'targetId', 'id'].find((field) => field in fields);
}

function withOwner(kind: RecordKind): string {
  const name = kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const article = /^[aeio]/.test(name) ? 'an' : 'a';
  if (kind === 'businessUnit' || kind === 'key') return `${article} ${name}`;
  return `${article} ${name} of the ${ofUnit.includes(kind) ? 'business unit' : 'event'}`;
}

const ofUnit: readonly RecordKind[] = ['event', 'operator', 'invitation'];
