import { placeOrder } from '@event-api/contracts/http/checkout';
import { createEvent } from '@event-api/contracts/http/events';
import { limits } from '@event-api/contracts/http/fields';
import type { Operation } from '@event-api/contracts/operation';

/** A 1 MiB request body that is as expensive as possible to parse and to validate. */
export interface LargeBody {
  name: string;
  operation: Operation;
  json: string;
}

/** Returns `before`, as many elements as fit into 1 MiB, and `after`. */
function fill(before: string, element: (index: number) => string, after: string): string {
  const parts: string[] = [];
  let left = limits.bodyBytes - before.length - after.length;
  for (let index = 0; ; index++) {
    const part = element(index);
    left -= part.length + 1;
    if (left < 0) return `${before}${parts.join(',')}${after}`;
    parts.push(part);
  }
}

const array = (element: string): string => fill('[', () => element, ']');

const line = '"itemType":"addon","itemId":"x"';
const order = (fields: string): string => `{"email":"a@example.com",${fields}`;

export const largeBodies: readonly LargeBody[] = [
  { name: '[0,0,…]', operation: createEvent, json: array('0') },
  { name: '[{},…]', operation: createEvent, json: array('{}') },
  { name: '[{"__proto__":0},…]', operation: createEvent, json: array('{"__proto__":0}') },
  {
    name: '[{"\\u005f_proto__":0},…]',
    operation: createEvent,
    json: array('{"\\u005f_proto__":0}'),
  },
  { name: '{"k0":0,"k1":0,…}', operation: createEvent, json: fill('{', (n) => `"k${n}":0`, '}') },
  {
    name: '{"features":[0,0,…]}',
    operation: createEvent,
    json: fill('{"name":"x","timezone":"UTC","features":[', () => '0', ']}'),
  },
  {
    name: '{"items":[0,0,…]}',
    operation: placeOrder,
    json: fill(order('"items":['), () => '0', ']}'),
  },
  {
    name: '{"items":[{},…]}',
    operation: placeOrder,
    json: fill(order('"items":['), () => '{}', ']}'),
  },
  {
    name: '{"items":[{"attendees":[{},…]}]}',
    operation: placeOrder,
    json: fill(order(`"items":[{${line},"attendees":[`), () => '{}', ']}]}'),
  },
  {
    name: '{"responses":{"a":[0,0,…]}}',
    operation: placeOrder,
    json: fill(order(`"items":[{${line}}],"responses":{"a":[`), () => '0', ']}}'),
  },
  {
    name: '{"responses":{"__proto__":[0,0,…]}}',
    operation: placeOrder,
    json: fill(order(`"items":[{${line}}],"responses":{"__proto__":[`), () => '0', ']}}'),
  },
];
