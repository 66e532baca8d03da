/** The event that something is about, and whose it is. */
export interface EventScope {
  businessUnitId: string;
  eventId: string;
}
