/** The API's dated versions, oldest first. A key keeps the one that was current when it was made. */
export const apiVersions = ['2026-08-22'] as const;

/** The version that new keys are pinned to and that answers carry while no key is known. */
export const currentVersion = '2026-08-22';
