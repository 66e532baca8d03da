/**
 * The dated versions of the API, oldest first. A key keeps the version that was current at its
 * creation.
 */
export const apiVersions = ['2026-08-22'] as const;

/** The version of new keys, and of responses to requests without a valid key. */
export const currentVersion = '2026-08-22';
