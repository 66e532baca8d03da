import { succeeds } from '@event-api/local-servers/tether';

const tools = {
  ip: ['-Version'],
  nsenter: ['--version'],
  nft: ['--version'],
  tc: ['-Version'],
} as const;

/** Hosts cannot be made here. The message says what is missing. */
export class HostsUnavailableError extends Error {}

/**
 * Why this machine cannot have hosts of its own; undefined if it can. They are network namespaces,
 * which only root may create.
 */
export function reasonAgainstHosts(): string | undefined {
  if (process.platform !== 'linux') return 'hosts are network namespaces, which only Linux has';
  if (process.getuid?.() !== 0) return 'hosts are network namespaces, which only root may create';
  const missing = Object.entries(tools).flatMap(([tool, version]) =>
    succeeds(tool, [...version]) ? [] : [tool],
  );
  if (missing.length > 0)
    return `${missing.join(', ')} is missing: install iproute2, nftables and util-linux`;
  if (!succeeds('unshare', ['--net', 'nft', 'list', 'ruleset']))
    return 'this system does not allow a network namespace with nftables';
  return undefined;
}
