/** How long a scan waits for others, with people standing behind it; everything else takes a second. */
export const doors = {
  /** For the copies to come as far as its unit knows. */
  waitForCopiesMs: 100,
  /** For the word of an owner, before somebody is refused by what is known here. */
  waitForOwnersMs: 300,
};
