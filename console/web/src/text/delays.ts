/** What it means to a person that messages between the services are delayed. */
export const delayText = {
  title: 'Messages between the parts of the platform are delayed.',
  end: 'Nothing is lost, and the page catches up by itself.',
  pages: {
    events: 'Sold and free seats may be older than they look.',
    overview: 'Figures may be older than they look, and changes do not appear by themselves.',
    tickets:
      'Sold and free seats may be older than they look. Sales learn late of a lower capacity or of an end of the sale.',
    registrations:
      'The people here are up to date. Doors may not know yet who was added, cancelled or given a perk.',
    orders:
      'Orders and money are up to date. The people of an order may be shown with a former status.',
    perks: 'What delivers a perk may be older than it looks. Doors learn late of a change.',
    doors:
      'Doors stay open. They may not know yet who was added, cancelled or given a perk, and this page may show check-ins late.',
    exhibitors: 'People who were added or renamed in the meantime may be missing.',
    settings: 'Sales and doors go on with the former settings until they learn of a change.',
    webhooks: 'Webhooks and the change feed wait, and are sent afterwards.',
    system: 'Each service goes on with what it knew of the records of the others.',
  },
} as const;
