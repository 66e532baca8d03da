import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import { NotFound, PageFailure } from './failure.tsx';
import { createPrivateHistory } from './private-history.ts';
import { Home, OperatorScope, UnitScope } from './scopes.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
const unit = createRoute({ getParentRoute: () => root, path: 'u/$unitId', component: UnitScope });
const operator = createRoute({
  getParentRoute: () => root,
  id: 'operator',
  component: OperatorScope,
});
const signIn = () => import('../pages/sign-in/page.tsx');

const ofRoot = [
  createRoute({ getParentRoute: () => root, path: '/', component: Home }),
  createRoute({
    getParentRoute: () => root,
    path: 'sign-in',
    component: lazyRouteComponent(signIn, 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: 'signed-in',
    component: lazyRouteComponent(signIn, 'SignedInPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: 'invitation',
    component: lazyRouteComponent(() => import('../pages/invitation/page.tsx'), 'InvitationPage'),
  }),
];

const commands = lazyRouteComponent(() => import('../pages/commands/page.tsx'), 'CommandsPage');
const command = lazyRouteComponent(
  () => import('../pages/commands/command-page.tsx'),
  'CommandPage',
);
const webhooks = lazyRouteComponent(() => import('../pages/webhooks/page.tsx'), 'WebhooksPage');

/** The pages of a unit, each with its own code. */
const unitPages: Record<string, ReturnType<typeof lazyRouteComponent>> = {
  '/': lazyRouteComponent(() => import('../pages/events/page.tsx'), 'EventsPage'),
  events: lazyRouteComponent(() => import('../pages/events/page.tsx'), 'EventsPage'),
  'events/new': lazyRouteComponent(() => import('../pages/events/new-event.tsx'), 'NewEventPage'),
  keys: lazyRouteComponent(() => import('../pages/keys/page.tsx'), 'KeysPage'),
  audit: lazyRouteComponent(() => import('../pages/audit/page.tsx'), 'AuditPage'),
  team: lazyRouteComponent(() => import('../pages/team/page.tsx'), 'TeamPage'),
  webhooks,
  'webhooks/$endpointId': webhooks,
  refunds: lazyRouteComponent(() => import('../pages/refunds/page.tsx'), 'RefundsPage'),
  payments: lazyRouteComponent(() => import('../pages/payments/page.tsx'), 'PaymentsPage'),
  taxes: lazyRouteComponent(() => import('../pages/taxes/page.tsx'), 'TaxesPage'),
  commands,
  'commands/$operationId': command,
};

const registrations = lazyRouteComponent(
  () => import('../pages/registrations/page.tsx'),
  'RegistrationsPage',
);
const orders = lazyRouteComponent(() => import('../pages/orders/page.tsx'), 'OrdersPage');

const exhibitors = lazyRouteComponent(
  () => import('../pages/exhibitors/page.tsx'),
  'ExhibitorsPage',
);

/** The pages of an event. A list and the detail of its records are one page. */
const eventPages: Record<string, ReturnType<typeof lazyRouteComponent>> = {
  '': lazyRouteComponent(() => import('../pages/overview/page.tsx'), 'OverviewPage'),
  '/tickets': lazyRouteComponent(() => import('../pages/tickets/page.tsx'), 'TicketsPage'),
  '/registrations': registrations,
  '/registrations/$registrationId': registrations,
  '/orders': orders,
  '/orders/$orderId': orders,
  '/perks': lazyRouteComponent(() => import('../pages/perks/page.tsx'), 'PerksPage'),
  '/doors': lazyRouteComponent(() => import('../pages/doors/page.tsx'), 'DoorsPage'),
  '/program': lazyRouteComponent(() => import('../pages/program/page.tsx'), 'ProgramPage'),
  '/exhibitors': exhibitors,
  '/exhibitors/$exhibitorId': exhibitors,
  '/codes': lazyRouteComponent(() => import('../pages/codes/page.tsx'), 'CodesPage'),
  '/form': lazyRouteComponent(() => import('../pages/form/page.tsx'), 'FormPage'),
  '/settings': lazyRouteComponent(() => import('../pages/settings/page.tsx'), 'SettingsPage'),
};

const ofUnit = [
  ...Object.entries(unitPages),
  ...Object.entries(eventPages).map(([path, page]) => [`events/$eventId${path}`, page] as const),
].map(([path, component]) =>
  createRoute({
    getParentRoute: () => unit,
    path,
    component,
    errorComponent: PageFailure,
  }),
);

/** The pages of an operator that belong to no unit. */
const operatorPages: Record<string, ReturnType<typeof lazyRouteComponent>> = {
  account: lazyRouteComponent(() => import('../pages/account/page.tsx'), 'AccountPage'),
  platform: lazyRouteComponent(() => import('../pages/platform/units.tsx'), 'UnitsPage'),
  'platform/administrators': lazyRouteComponent(
    () => import('../pages/platform/administrators.tsx'),
    'AdministratorsPage',
  ),
  'platform/system': lazyRouteComponent(() => import('../pages/platform/system.tsx'), 'SystemPage'),
  'platform/commands': commands,
  'platform/commands/$operationId': command,
};

const ofOperator = Object.entries(operatorPages).map(([path, component]) =>
  createRoute({
    getParentRoute: () => operator,
    path,
    component,
    errorComponent: PageFailure,
  }),
);

/** The router. Queries of addresses are plain text: `?status=paid`. */
export const createConsoleRouter = () =>
  createRouter({
    routeTree: root.addChildren([
      ...ofRoot,
      unit.addChildren(ofUnit),
      operator.addChildren(ofOperator),
    ]),
    history: createPrivateHistory(),
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: PageFailure,
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const present = Object.entries(search).filter(([, value]) => value !== undefined);
      const text = new URLSearchParams(Object.fromEntries(present)).toString();
      return text === '' ? '' : `?${text}`;
    },
  });
