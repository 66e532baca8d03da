/**
 * The reads that change with the time, too, and their intervals. The server counts check-ins at
 * most every two seconds.
 */
const intervalsMs: Readonly<Record<string, number>> = { 'checkin.countPerMinute': 5000 };

/**
 * The interval at which pages read an operation again by themselves. Undefined for those that only
 * changes affect.
 */
export const intervalMsOf = (operation: string): number | undefined => intervalsMs[operation];
