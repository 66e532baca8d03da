import type { MetricDefinition } from './definition.ts';

/** Metrics of the gateway. */
export const gatewayMetrics = {
  'gateway.rate_limit.denied': {
    kind: 'counter',
    unit: '{request}',
    description: 'Requests rejected because their key or address exceeded its limit',
    attributes: [],
  },
  'gateway.rate_limit.fallback': {
    kind: 'counter',
    unit: '{request}',
    description: 'Requests counted in the memory of one gateway because Redis was unavailable',
    attributes: [],
  },
  'gateway.heaviest_unit.requests': {
    kind: 'gauge',
    unit: '{request}',
    description:
      'Requests of the last complete minute through all gateways; rank is 1 to 5 for the business units with the most of them, or rest',
    attributes: ['rank'],
  },
  'gateway.key_cache.lookups': {
    kind: 'observed counter',
    unit: '{lookup}',
    description: 'Lookups of credentials; result is hit (cached) or miss (read from the database)',
    attributes: ['result'],
  },
  'gateway.connections.refused': {
    kind: 'counter',
    unit: '{connection}',
    description:
      'Connections rejected at a limit; reason is peer_limit (connections of one address) or total_limit',
    attributes: ['reason'],
  },
  'gateway.connections.closed': {
    kind: 'counter',
    unit: '{connection}',
    description:
      'Connections closed because their client did not read; reason is stalled (nothing taken for the stall timeout) or pending_bytes (too many response bytes waiting, this client had waited longest)',
    attributes: ['reason'],
  },
  'gateway.notifications.refused': {
    kind: 'counter',
    unit: '{notification}',
    description:
      'Rejected payment notifications; reason is signature (commerce rejected it), rate_limit (too many bad signatures from the address) or busy (too many verifications at once)',
    attributes: ['reason'],
  },
  'gateway.turns.waiting': {
    kind: 'gauge',
    unit: '{request}',
    description: 'Requests that wait for their turn at a service',
    attributes: ['owner'],
  },
  'gateway.turns.refused': {
    kind: 'counter',
    unit: '{request}',
    description:
      'Requests that got no turn; reason is full (too many of their business unit wait), late (waited too long) or abandoned (the client disconnected)',
    attributes: ['reason'],
  },
  'gateway.upstream.failures': {
    kind: 'counter',
    unit: '{request}',
    description:
      'Requests without a valid response of a service; kind is unreachable, timeout, rejected (not sent, because earlier ones timed out), unauthenticated (401 to the gateway) or unusable',
    attributes: ['owner', 'kind'],
  },
} as const satisfies Record<string, MetricDefinition>;
