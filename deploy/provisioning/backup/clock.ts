/** The time of this machine. Provisioning does not import the clock of the platform. */
export const currentTime = (): Date => new Date();
