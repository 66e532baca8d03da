/** How long a scan waits for others, with people standing behind it; everything else takes a second. */
export const doorTimeouts = {
  /** For the copies to come as far as its unit knows. */
  readAfterMs: 100,
  /** For the word of an owner, before somebody is refused by what is known here. */
  ownerMs: 300,
};
