import { text } from '../http/fields.ts';
import type { IdPrefix } from '../ids.ts';

/** The prefixes of ids, by the kind of record that a command can name. */
export const recordPrefixes = {
  unit: 'unit',
  key: 'key',
  operator: 'opr',
  invitation: 'inv',
  device: 'dev',
  event: 'evt',
  ticket_type: 'tt',
  addon: 'addon',
  bundle: 'bdl',
  redemption_code: 'code',
  code_batch: 'batch',
  tax_rate: 'tax',
  perk: 'perk',
  registration: 'reg',
  order: 'ord',
  venue: 'ven',
  session: 'ses',
  speaker: 'spk',
  exhibitor: 'exh',
  booth: 'booth',
  webhook_endpoint: 'whe',
} as const satisfies Record<string, IdPrefix>;

/** The kind of a record, as `x-references` names it. */
export type RecordKind = keyof typeof recordPrefixes;
type Prefix = (typeof recordPrefixes)[RecordKind];

const kinds = Object.fromEntries(
  Object.entries(recordPrefixes).map(([kind, prefix]) => [prefix, kind]),
) as Record<Prefix, RecordKind>;

/**
 * What a schema says about an id: which kinds of records it can name, so that a form can offer
 * them.
 */
export function referenceMeta(prefixes: readonly Prefix[], description: string) {
  return {
    description,
    example: `${prefixes[0]}_01k8zq4m3ne7rbj5t2xw9vd6ah`,
    'x-references': prefixes.map((prefix) => kinds[prefix]),
  };
}

/**
 * The id of a record that a command names. With several prefixes, it is a record of any of these
 * kinds.
 */
export const reference = (prefix: Prefix | readonly [Prefix, ...Prefix[]], description: string) =>
  text({ min: 1, max: 200 }).meta(referenceMeta([prefix].flat(), description));

/** The id of a record of any kind. */
export const anyReference = (description: string) =>
  reference(Object.keys(kinds) as [Prefix, ...Prefix[]], description);

/** The business unit and the event that a command works on. */
export const eventScope = {
  businessUnitId: reference('unit', 'The business unit'),
  eventId: reference('evt', 'The event'),
};
