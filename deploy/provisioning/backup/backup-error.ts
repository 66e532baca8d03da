/** A backup cannot be taken or restored. The message says why, for an operator. */
export class BackupError extends Error {}
