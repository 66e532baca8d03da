/** The addresses of the pages. Every page has one, so that links, reload and back work. */
export const paths = {
  unit: (unitId: string) => `/u/${unitId}`,
  events: (unitId: string) => `/u/${unitId}/events`,
  newEvent: (unitId: string) => `/u/${unitId}/events/new`,
  event: (unitId: string, eventId: string) => `/u/${unitId}/events/${eventId}`,
  eventPage: (unitId: string, eventId: string, page: EventPageName) =>
    `/u/${unitId}/events/${eventId}/${page}`,
  registration: (unitId: string, eventId: string, id: string) =>
    `/u/${unitId}/events/${eventId}/registrations/${id}`,
  order: (unitId: string, eventId: string, id: string) =>
    `/u/${unitId}/events/${eventId}/orders/${id}`,
  exhibitor: (unitId: string, eventId: string, id: string) =>
    `/u/${unitId}/events/${eventId}/exhibitors/${id}`,
  refunds: (unitId: string) => `/u/${unitId}/refunds`,
  payments: (unitId: string) => `/u/${unitId}/payments`,
  taxes: (unitId: string) => `/u/${unitId}/taxes`,
  team: (unitId: string) => `/u/${unitId}/team`,
  keys: (unitId: string) => `/u/${unitId}/keys`,
  webhooks: (unitId: string) => `/u/${unitId}/webhooks`,
  webhook: (unitId: string, endpointId: string) => `/u/${unitId}/webhooks/${endpointId}`,
  audit: (unitId: string) => `/u/${unitId}/audit`,
  commands: (unitId: string) => `/u/${unitId}/commands`,
  command: (unitId: string, operationId: string) => `/u/${unitId}/commands/${operationId}`,
  platform: () => '/platform',
  platformPage: (page: PlatformPageName) => `/platform/${page}`,
  platformCommand: (operationId: string) => `/platform/commands/${operationId}`,
  account: () => '/account',
  signIn: () => '/sign-in',
} as const;

/** The pages of an event, in the order of the navigation. The overview has no name of its own. */
export const eventPages = [
  'tickets',
  'registrations',
  'orders',
  'codes',
  'perks',
  'doors',
  'program',
  'exhibitors',
  'form',
  'settings',
] as const;
export type EventPageName = (typeof eventPages)[number];

/** The pages of a business unit, in the order of the navigation. */
export const unitPages = [
  'refunds',
  'payments',
  'taxes',
  'team',
  'keys',
  'webhooks',
  'audit',
  'commands',
] as const;
export type UnitPageName = (typeof unitPages)[number];

/** The pages of the platform. That of its business units has no name of its own. */
export type PlatformPageName = 'administrators' | 'system' | 'commands';
