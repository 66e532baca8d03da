/** What a person may be in a business unit. */
export const roles = ['owner', 'organizer', 'finance', 'door', 'viewer'] as const;
export type Role = (typeof roles)[number];

/**
 * What a restricted API key may be for; a key can have several. None of them implies another one.
 */
export const keyGroups = ['read', 'sell', 'manage', 'doors'] as const;
export type KeyGroup = (typeof keyGroups)[number];

interface Holders {
  roles: readonly Role[];
  groups: readonly KeyGroup[];
}

const everyRole = roles;
const team = ['owner', 'organizer'] as const;
const office = ['owner', 'organizer', 'finance'] as const;
const readers = ['owner', 'organizer', 'finance', 'viewer'] as const;
const stewards = ['owner', 'organizer', 'door'] as const;

/**
 * The permissions, each with the roles and key groups that hold it. Every operation requires one of
 * them, or one of two. `platform` belongs to administrators of the platform, `device` and `pairing`
 * to credentials of devices, `claim` to tokens of claim links. `names` is the permission for the names in a roster, which requires
 * another one.
 */
export const permissionHolders = {
  platform: { roles: [], groups: [] },
  members: { roles: ['owner'], groups: [] },
  keys: { roles: ['owner'], groups: [] },
  audit: { roles: ['owner'], groups: [] },
  webhooks: { roles: ['owner'], groups: ['manage'] },
  changes: { roles: office, groups: ['read'] },
  'catalog.read': { roles: everyRole, groups: ['read', 'sell'] },
  'settings.read': { roles: readers, groups: [] },
  'catalog.write': { roles: team, groups: ['manage'] },
  design: { roles: team, groups: [] },
  policy: { roles: ['owner', 'finance'], groups: [] },
  'people.read': { roles: everyRole, groups: ['read'] },
  register: { roles: team, groups: ['sell'] },
  'people.write': { roles: team, groups: ['manage'] },
  badges: { roles: stewards, groups: ['read', 'sell', 'manage'] },
  'codes.lookup': { roles: office, groups: ['read', 'sell'] },
  codes: { roles: team, groups: ['manage'] },
  'orders.list': { roles: readers, groups: ['read'] },
  'orders.get': { roles: readers, groups: ['read', 'sell'] },
  'orders.place': { roles: team, groups: ['sell'] },
  'orders.cancel': { roles: office, groups: ['sell'] },
  money: { roles: ['owner', 'finance'], groups: [] },
  doors: { roles: stewards, groups: ['doors'] },
  names: { roles: everyRole, groups: ['read'] },
  'checkins.read': { roles: everyRole, groups: ['read', 'doors'] },
  'summary.read': { roles: everyRole, groups: ['read'] },
  undo: { roles: stewards, groups: ['manage'] },
  devices: { roles: stewards, groups: [] },
  device: { roles: [], groups: [] },
  pairing: { roles: [], groups: [] },
  claim: { roles: [], groups: [] },
} as const satisfies Record<string, Holders>;

export type Permission = keyof typeof permissionHolders;

export const permissions = Object.keys(permissionHolders) as readonly Permission[];

const holdersOf = (permission: Permission): Holders => permissionHolders[permission];

/** The permissions of a role in its business unit. */
export const permissionsOfRole = (role: Role): readonly Permission[] =>
  permissions.filter((permission) => holdersOf(permission).roles.includes(role));

/** The permissions of a restricted key. */
export const permissionsOfGroups = (groups: readonly KeyGroup[]): readonly Permission[] =>
  permissions.filter((permission) =>
    holdersOf(permission).groups.some((group) => groups.includes(group)),
  );

/** The groups that hold one of these permissions. */
export const groupsWith = (anyOf: readonly Permission[]): readonly KeyGroup[] =>
  keyGroups.filter((group) =>
    anyOf.some((permission) => holdersOf(permission).groups.includes(group)),
  );

/** The groups of a restricted key with these permissions. Each group has one of its own. */
export const groupsOfPermissions = (held: readonly string[]): readonly KeyGroup[] =>
  keyGroups.filter((group) =>
    permissionsOfGroups([group]).every((permission) => held.includes(permission)),
  );

/**
 * The permissions of a scanner: it checks people in at its doors, and reads what it needs for that.
 */
export const permissionsOfDevice: readonly Permission[] = ['doors', 'device'];

/** The permissions of a scanner that may show names. */
export const permissionsOfNamedDevice: readonly Permission[] = [...permissionsOfDevice, 'names'];

/** The permission of a pairing code: it becomes a device, once. */
export const permissionsOfPairing: readonly Permission[] = ['pairing'];

/** The permission of the token of a claim link. */
export const permissionsOfClaim: readonly Permission[] = ['claim'];
