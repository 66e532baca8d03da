/** The subject of the notices that a service has new changes. They are not part of the stream: a lost one does no harm. */
export const changeNoticeSubject = (owner: string): string => `wake.changes.${owner}`;
