/** Verbs that the API has no operation for, with what does it instead. */
export const operatorOnly: Readonly<Record<string, string>> = {
  refund:
    'the API has no operation for refunds: an operator refunds an order in the console, or with npm run admin -- order.refund',
};
