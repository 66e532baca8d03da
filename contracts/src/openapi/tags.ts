import { orderStatuses, orderStatusMeanings } from '../http/orders.ts';

const orderStatusRows = orderStatuses.map((status) => {
  const { meaning, buyerMessage, isFinal } = orderStatusMeanings[status];
  return `| \`${status}\` | ${meaning} | ${buyerMessage} | ${isFinal} |`;
});

/** The texts at the headings of the reference, by tag. */
export const tagDescriptions: Partial<Record<string, string>> = {
  Orders: `An order is placed, confirmed and, unless it is free, paid on a hosted page. Read it until its \`status\` is final.

| Status | Meaning | What to tell the buyer | Final |
| --- | --- | --- | --- |
${orderStatusRows.join('\n')}`,
};
