import type { FastifyRequest } from 'fastify';
import { ApiError, type RecordKind } from '../core/errors.ts';

/**
 * The 404 of an operator command with the field whose id was not found. An operator may see every
 * business unit, so naming the record reveals nothing; for integrators all 404s are the same.
 */
export const nameMissingRecord = (error: ApiError, request: FastifyRequest): ApiError =>
  request.routeOptions.config?.audience === 'operator'
    ? nameMissingField(error, request.body)
    : error;

/** The 404 of a missing record with the field of the command's input that names it. */
export function nameMissingField(error: ApiError, body: unknown): ApiError {
  const { missing } = error;
  if (!missing) return error;
  const field = fieldOf(missing, body);
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
