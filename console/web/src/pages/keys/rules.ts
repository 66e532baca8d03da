/** What the dialog contains. */
export interface KeyValues {
  name: string;
  expiresAt: string | null;
  isRestricted: boolean;
  groups: string[];
  eventIds: string[];
}

/** The input of `key.create`. Without a restriction, what was chosen for one is left out. */
export const inputOf = ({ name, expiresAt, isRestricted, groups, eventIds }: KeyValues) => ({
  name: name.trim(),
  expiresAt,
  ...(isRestricted && { groups, ...(eventIds.length > 0 && { eventIds }) }),
});
