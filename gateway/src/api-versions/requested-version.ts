import type { IncomingHttpHeaders } from 'node:http';
import { invalidArgument } from '@event-api/platform/core/errors';
import { decideVersion } from './api-versions.rules.ts';

/** Returns the version that serves a request. Errors: 400 for an unknown one. */
export function versionOf(
  headers: IncomingHttpHeaders,
  pinned: string,
  supported: readonly string[],
): string {
  const decision = decideVersion(headers['service-version']?.toString(), pinned, supported);
  if (decision.outcome === 'serve') return decision.version;
  const issue = `must be one of the supported versions: ${supported.join(', ')}`;
  throw invalidArgument([{ field: 'Service-Version', issue, code: 'unknown_version' }]);
}
