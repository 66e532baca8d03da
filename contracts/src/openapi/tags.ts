import { orderStatuses, orderStatusMeanings } from '../http/orders.ts';

const orderStatusRows = orderStatuses.map((status) => {
  const { meaning, buyerMessage, isFinal } = orderStatusMeanings[status];
  return `| \`${status}\` | ${meaning} | ${buyerMessage} | ${isFinal} |`;
});

/** The texts at the headings of the reference, by tag. */
export const tagDescriptions: Partial<Record<string, string>> = {
  'Ticket types': `A ticket type has three names in this API, and all of them mean the same record, with an id \`tt_…\`: its own
operations are under \`/ticket-types\`, other records refer to it with \`registrationTypeId\`, and items of orders and bundles
have the \`itemType\` \`registration_type\`. Requests may send \`ticketTypeId\` and \`ticket_type\` instead.`,
  Devices: `A scanner at a door has no API key. An operator creates a pairing code for it, and the scanner turns the code into
its own token \`dk_live_…\`. The token is valid for 24 hours, for one event and for the doors of the device. It has
600 requests per minute, and may check in, read the summary of the doors and the roster, read its device and report its state;
every other operation is a 403.`,
  'Claim links': `A seat that is sold with \`assignLater\` has no attendee yet. A claim link lets the buyer name one without a key:
the shop creates it and puts its token into the fragment of a page of its own. A token is good for the seats of one order, or for
one of them, until it is revoked.`,
  Orders: `An order is placed, confirmed and, unless it is free, paid on a hosted page. Read it until its \`status\` is final.

| Status | Meaning | What to tell the buyer | Final |
| --- | --- | --- | --- |
${orderStatusRows.join('\n')}`,
};
