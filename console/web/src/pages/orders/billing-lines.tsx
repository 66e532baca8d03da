import type { Billing } from '@event-api/contracts/http/billing';

/** Whom an order is billed to, as on an envelope. */
export function BillingLines({ billing }: { billing: Billing }) {
  const { name, company, address, vatId } = billing;
  const city = [address.postalCode, address.city].filter(Boolean).join(' ');
  const lines = [company, name, address.line1, address.line2, city, address.country, vatId];
  return (
    <address className="not-italic">
      {lines
        .filter((line) => line !== null)
        .map((line, n) => (
          // The order of the lines never changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be equal
          <bdi key={n} className="block">
            {line}
          </bdi>
        ))}
    </address>
  );
}
