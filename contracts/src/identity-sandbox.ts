import type { Role } from './permissions.ts';

/** An operator whom the identity sandbox signs in with one click. */
export interface DemoOperator {
  /** The `sub` claim, and the `login_hint` that selects the operator. */
  subject: string;
  name: string;
  email: string;
  /**
   * The role in the demo unit; null for the administrator of the platform, who is a member of no
   * unit.
   */
  role: Role | null;
}

/**
 * One operator for each role, and an administrator of the platform. The addresses are reserved for
 * examples.
 */
export const demoOperators: readonly DemoOperator[] = [
  { subject: 'olivia', name: 'Olivia Owner', email: 'olivia@example.com', role: 'owner' },
  { subject: 'oskar', name: 'Oskar Organizer', email: 'oskar@example.com', role: 'organizer' },
  { subject: 'fiona', name: 'Fiona Finance', email: 'fiona@example.com', role: 'finance' },
  { subject: 'dario', name: 'Dario Door', email: 'dario@example.com', role: 'door' },
  { subject: 'vera', name: 'Vera Viewer', email: 'vera@example.com', role: 'viewer' },
  { subject: 'paula', name: 'Paula Platform', email: 'paula@example.com', role: null },
];

/** The client id of the console at the identity sandbox. */
export const sandboxClientId = 'console';
