import type { Server, Socket } from 'node:net';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import proxyAddr from '@fastify/proxy-addr';
import { networkOf } from '../rate-limit/address.ts';
import { type ConnectionLimits, decideConnection, rejectionReasons } from './connections.rules.ts';

/** Closes connections beyond the limits as soon as they are opened, and counts them. */
export function limitConnections(
  server: Server,
  options: { limits: ConnectionLimits; trustProxy: string[]; metrics: Metrics },
): void {
  const countRejected = options.metrics.counter('gateway.connections.refused');
  // Counters start at zero, so that the first rejection is an increase.
  for (const reason of rejectionReasons) countRejected({ reason }, 0);
  const isTrusted = options.trustProxy.length ? proxyAddr.compile(options.trustProxy) : () => false;
  const openByPeer = new Map<string, number>();
  let total = 0;

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const peer = isTrusted(address, 0) ? null : networkOf(address);
    const fromPeer = peer === null ? null : (openByPeer.get(peer) ?? 0);
    const decision = decideConnection({ total, fromPeer }, options.limits);
    if (decision.outcome === 'reject') {
      countRejected({ reason: decision.reason });
      socket.destroy();
      return;
    }
    total += 1;
    if (peer !== null) openByPeer.set(peer, (fromPeer ?? 0) + 1);
    socket.once('close', () => {
      total -= 1;
      if (peer === null) return;
      const left = (openByPeer.get(peer) ?? 1) - 1;
      if (left > 0) openByPeer.set(peer, left);
      else openByPeer.delete(peer);
    });
  });
}
