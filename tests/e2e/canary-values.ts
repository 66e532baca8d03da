/**
 * Values that do not occur by chance, to detect personal data in logs, spans, metrics and changes.
 */
export const distinctiveValues = (): Record<string, string> => ({
  email: 'Zephyrina.Quandrell+vip@Secret-Mailbox.example',
  'another email': 'ottoline.vexworth@secret-mailbox.example',
  'malformed email': 'zephyrina(at)quandrell',
  'first name': 'Zephyrina',
  'last name': 'Quandrell',
  'name of another': 'Ottoline Vexworth',
  company: 'Quandrell & Vexworth Orchards',
  street: 'Kumquat Alley 1203',
  'VAT id': 'ATU73550151',
  phone: '+49 151 5550 7342',
  response: 'allergic to kumquats',
  'redemption code': 'VELVET-OTTER-77',
  'unknown code': 'WRONG-BADGER-88',
  'unknown badge': 'CHK-WRONGBADGE99',
  'unknown key': `sk_live_${'Qx7'.repeat(10)}Zz`,
  'return address': 'return-token-5512',
  'idempotency key': 'basket-of-quincy-4711',
  'unknown query': 'kumquat-query-66',
});
