/** The time of the browser. Other files get it as an argument, or use this function. */
export const now = (): Date => new Date();
