/**
 * The subject of the notices that a service has new changes. They are not part of the stream: a
 * lost one does no harm.
 */
export const changeNoticeSubject = (owner: string): string => `wake.changes.${owner}`;

/** The subject of the notices that the feed of a business unit has new changes. */
export const feedNoticeSubject = (businessUnitId: string): string => `wake.feed.${businessUnitId}`;
export const anyFeedNotice = 'wake.feed.*';

/** The business unit of such a notice. */
export const unitOfFeedNotice = (subject: string): string => subject.slice('wake.feed.'.length);
