/**
 * The subjects of the rules, in the order of reading. A test file belongs to the first one whose
 * pattern its path has.
 */
export const subjects: readonly { title: string; files: RegExp }[] = [
  {
    title: 'Keys and access',
    files:
      /^gateway\/test\/(api-keys|rate-limit|devices|fairness)|may-call|permissions|caller-tokens|authorization|(trust|actors|no-personal-data|unit-filters|every-route|missing-ids)\.(slow\.)?test\./,
  },
  { title: 'Requests', files: /^gateway\/|^contracts\/src\/http\/(instant|nulls)|unknown-fields/ },
  { title: 'Retries', files: /idempotency|operator-retries/ },
  { title: 'Lists', files: /(list-filters|list-plans|lists|single-reads)\./ },
  { title: 'Events', files: /^services\/catalog\/.*(events|currency-lock)/ },
  { title: 'Forms and refund policies', files: /form-responses|forms|refund-policies/ },
  { title: 'Ticket types', files: /ticket-types|^services\/catalog\/.*(promotion|races)/ },
  { title: 'Add-ons and bundles', files: /addons|bundles/ },
  { title: 'Perks', files: /perks/ },
  { title: 'Catalog', files: /catalog/ },
  { title: 'Redemption codes', files: /redemption-codes|discounted-price/ },
  { title: 'Seat reservations', files: /reservations|\/(check|fulfil|release|reserve)\./ },
  { title: 'Waitlist offers', files: /offers/ },
  { title: 'Attendees', files: /attendees/ },
  { title: 'Badges', files: /badge/ },
  { title: 'Registrations and seats', files: /^services\/registration|seats/ },
  {
    title: 'Payments and refunds',
    files: /payment|settlement|refund|notifications|^services\/commerce\/.*(sales|comparison)/,
  },
  { title: 'Tax', files: /tax|vat-id|place-of-supply|apportion/ },
  { title: 'Orders', files: /^services\/commerce|orders/ },
  {
    title: 'At doors and on the program',
    files: /^services\/onsite|checkin|scanner|doors|program|door-rush/,
  },
  { title: 'Webhooks and the change feed', files: /^services\/changes|feed|webhook/ },
  { title: 'Console', files: /console/ },
  { title: 'Releases', files: /release|rolling|missing-route/ },
  { title: 'Operation', files: /^(deploy|platform)\// },
];
