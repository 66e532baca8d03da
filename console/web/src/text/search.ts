export const searchText = {
  people: {
    none: (query: string) => `Nobody found for “${query}”`,
    tried:
      'No name begins with it or is similar to it, no email contains it, no badge code begins with it, and it is no order number.',
    similar: (query: string) => `No name begins with “${query}”. These are similar:`,
  },
  orders: {
    none: (query: string) => `No order found for “${query}”`,
    tried:
      'No name of a buyer or of a person in an order begins with it or is similar to it, no email contains it, and no order number begins with it.',
    similar: (query: string) => `No name of a buyer begins with “${query}”. These are similar:`,
  },
  filtered: 'Only what fits the filters was searched.',
  withoutFilters: 'Search without the filters',
  everywhere: 'Search in all events',
} as const;
