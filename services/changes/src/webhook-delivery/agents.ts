import type { Agent } from 'node:http';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';

/** Connections to endpoints. Their addresses are checked before a connection is opened. */
export interface WebhookAgents {
  of(protocol: string): Agent;
  /** Whether the host of a URL is an IPv6 address that is not public. */
  isBlockedHost(hostname: string): boolean;
}

// The public unicast addresses of IPv6. The agents also admit `::/96`, which embeds IPv4 addresses.
const publicIpv6 = new BlockList();
publicIpv6.addSubnet('2000::', 3, 'ipv6');

const loopback = ['127.0.0.1', '::1'];

/**
 * Creates the agents. They refuse every connection to an address that is not public, however the
 * URL spells it and whatever a name resolves to: a socket connects only to addresses that were
 * checked. With `allowLoopback` they admit
 * 127.0.0.1 and ::1. No connection is used twice.
 */
export function createAgents(options: {
  allowLoopback: boolean;
  lookup: LookupFunction;
}): WebhookAgents {
  const allowed = options.allowLoopback ? loopback : [];
  const isBlocked = (address: string) =>
    isIPv6(address) && !allowed.includes(address) && !publicIpv6.check(address, 'ipv6');
  const lookup: LookupFunction = (hostname, lookupOptions, callback) =>
    options.lookup(hostname, lookupOptions, (error, address, family) => {
      const addresses =
        typeof address === 'string' ? [address] : (address ?? []).map((each) => each.address);
      if (!error && addresses.some(isBlocked)) callback(blockedAddress(), '');
      else callback(error, address, family);
    });
  const agentOptions = { keepAlive: false, allowIPAddressList: allowed, lookup };
  const http = new RequestFilteringHttpAgent(agentOptions);
  const https = new RequestFilteringHttpsAgent(agentOptions);
  return {
    of: (protocol) => (protocol === 'https:' ? https : http),
    isBlockedHost: (hostname) => isBlocked(hostname.replace(/^\[(.*)\]$/, '$1')),
  };
}

/**
 * Whether the host of a URL is an address to which the agents never connect. A name is judged by
 * what it resolves to, at each connection.
 */
export function isBlockedAddressOf(hostname: string, allowLoopback: boolean): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) === 0 || (allowLoopback && loopback.includes(address))) return false;
  if (isIPv6(address) && !publicIpv6.check(address, 'ipv6')) return true;
  return ipaddr.parse(address).range() !== 'unicast';
}

const blockedCode = 'ERR_BLOCKED_ADDRESS';
const blockedAddress = () =>
  Object.assign(new Error('the address is not public'), { code: blockedCode });

/**
 * Whether a connection was refused because of its address. The errors of the agents have no code.
 */
export const isBlockedAddress = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as NodeJS.ErrnoException).code === blockedCode ||
    /^DNS lookup .+ is not allowed\. Because/.test(error.message));
