export const guidesText = {
  /**
   * The guides to which pages link, with their titles. A test compares them with the guides that
   * exist.
   */
  titles: {
    'quick-start': 'Quick start',
    'quick-start#register-a-person': 'Register a person',
    checkout: 'Checkout',
    'checkout#put-tickets-on-sale': 'Put tickets on sale',
    payments: 'Payments',
    doors: 'Doors',
    tax: 'Tax',
    webhooks: 'Webhooks',
    'webhooks#try-it-on-your-computer': 'Try webhooks on your computer',
    'running-an-event#codes': 'Codes',
    'running-an-event#perks-and-gates': 'Perks and gates',
    'running-an-event#program': 'Program',
    'running-an-event#exhibitors': 'Exhibitors',
    'running-an-event#form-and-refund-policy': 'Form and refund policy',
    'running-an-event#audit-log': 'Audit log',
  },
  read: (title: string) => `Read the guide: ${title}`,
  baseUrl: 'Address of the API',
  copyBaseUrl: 'Copy the address of the API',
} as const;
