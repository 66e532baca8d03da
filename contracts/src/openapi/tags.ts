import { orderStatuses, orderStatusMeanings } from '../http/orders.ts';

const orderStatusRows = orderStatuses.map((status) => {
  const { meaning, buyerMessage, isFinal } = orderStatusMeanings[status];
  return `| \`${status}\` | ${meaning} | ${buyerMessage} | ${isFinal} |`;
});

/** The texts at the headings of the reference, by tag. */
export const tagDescriptions: Partial<Record<string, string>> = {
  'Ticket types': `A ticket type has three names in this API, and all of them mean the same record, with an id \`tt_…\`: its own
operations are under \`/ticket-types\`, other records refer to it with \`registrationTypeId\`, and items of orders and bundles
have the \`itemType\` \`registration_type\`, for which requests may also send \`ticket_type\`.`,
  Orders: `An order is placed, confirmed and, unless it is free, paid on a hosted page. Read it until its \`status\` is final.

| Status | Meaning | What to tell the buyer | Final |
| --- | --- | --- | --- |
${orderStatusRows.join('\n')}`,
};
