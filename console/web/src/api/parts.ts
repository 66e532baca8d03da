/** A part of the platform that can be away while the others serve. */
export type Part =
  | 'catalog'
  | 'registration'
  | 'commerce'
  | 'onsite'
  | 'changes'
  | 'keys'
  | 'console';

const rules: readonly [RegExp, Part][] = [
  [
    /^(registration\.|person\.|code\.|perk\.(grant|revoke|listCodes)$)|\/(registrations|attendees|redemption-codes|availability)/,
    'registration',
  ],
  [/^(order|refund|sales|commerce)\.|\/orders/, 'commerce'],
  [
    /^(checkin|venue|session|speaker|exhibitor|device)\.|\/(checkins|sessions|speakers|venues|exhibitors)/,
    'onsite',
  ],
  [/^v1\/(changes|webhook-endpoints)|^(change|webhook)\./, 'changes'],
  [/^(key|unit)\./, 'keys'],
  [/^(member|invitation|operator|audit)\.|^(audit|parts)$|^\/api\//, 'console'],
];

/** The part that serves an operation: the path of an API operation or the name of a command. */
export const partOf = (operation: string): Part =>
  rules.find(([pattern]) => pattern.test(operation))?.[1] ?? 'catalog';

/** The part that a process serves. */
export const partOfProcess = (name: string): Part => (name === 'gateway' ? 'keys' : (name as Part));
