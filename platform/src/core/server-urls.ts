import { readFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * How the address of a server asks for TLS. PostgreSQL has its own parameters:
 * `sslmode=verify-full`, and `sslrootcert` with the path of the certificate authority. NATS and
 * Redis have a protocol for TLS (`tls:`, `rediss:`) and here the parameter `ca` with that path.
 * Without a path the authorities of Node are trusted.
 */
type TlsRequest = { outcome: 'plain' } | { outcome: 'tls'; caFile: string | null };
type TlsDecision = TlsRequest | { outcome: 'invalid'; issue: string };

/**
 * Decides from the address alone. There is no TLS without verification: it protects against no
 * attacker.
 */
export function decideTls(address: string): TlsDecision {
  const { protocol, searchParams } = new URL(address);
  if (/^postgres(ql)?:$/.test(protocol)) {
    const mode = searchParams.get('sslmode') ?? 'disable';
    const caFile = searchParams.get('sslrootcert');
    if (mode !== 'disable' && mode !== 'verify-full')
      return { outcome: 'invalid', issue: 'has an sslmode other than disable and verify-full' };
    if (mode === 'verify-full') return { outcome: 'tls', caFile };
    return caFile === null
      ? { outcome: 'plain' }
      : { outcome: 'invalid', issue: 'has sslrootcert without sslmode=verify-full' };
  }
  const caFile = searchParams.get('ca');
  if (protocol === 'tls:' || protocol === 'rediss:') return { outcome: 'tls', caFile };
  return caFile === null
    ? { outcome: 'plain' }
    : { outcome: 'invalid', issue: 'has a certificate authority and a protocol without TLS' };
}

/**
 * The TLS options of an address; undefined without TLS. Errors: the file of the authority cannot be
 * read.
 */
export function tlsOptions(address: string): { ca?: string } | undefined {
  const decision = decideTls(address);
  if (decision.outcome !== 'tls') return undefined;
  return decision.caFile === null ? {} : { ca: readFileSync(decision.caFile, 'utf8') };
}

/**
 * A setting with the address of a server. A process does not start if it cannot read the
 * authority's file.
 */
export const serverUrl = (protocols: RegExp, error: string) =>
  z.url({ protocol: protocols, error }).superRefine((address, context) => {
    if (!URL.canParse(address)) return;
    const decision = decideTls(address);
    if (decision.outcome === 'invalid')
      context.addIssue({ code: 'custom', message: decision.issue });
    try {
      tlsOptions(address);
    } catch {
      context.addIssue({ code: 'custom', message: 'names a file that cannot be read' });
    }
  });
