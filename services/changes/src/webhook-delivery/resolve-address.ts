import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { timeouts } from '../timeouts.ts';

/**
 * A `lookup` of sockets that requests the name servers without a thread. `dns.lookup` uses one of
 * four threads per name, so that a few names without a response would stop all connections of the
 * process. `localhost` is this machine.
 */
export function createLookup(): LookupFunction {
  const resolver = new Resolver({
    timeout: timeouts.webhookDnsMs,
    tries: timeouts.webhookDnsAttempts,
  });

  async function addressesOf(hostname: string): Promise<LookupAddress[]> {
    if (/^localhost\.?$/i.test(hostname)) return loopback;
    const found = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    return found.flatMap((result, n) =>
      result.status === 'fulfilled'
        ? result.value.map((address) => ({ address, family: n === 0 ? 4 : 6 }))
        : [],
    );
  }

  return (hostname, options, callback) => {
    addressesOf(hostname).then(
      (all) => {
        const [first] = all;
        if (!first) callback(nameNotFound(hostname), '');
        else if (options.all) callback(null, all);
        else callback(null, first.address, first.family);
      },
      callback as (error: unknown) => void,
    );
  };
}

const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const nameNotFound = (hostname: string) =>
  Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND', hostname });
