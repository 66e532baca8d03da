/** An event and the business unit that owns it. */
export interface EventScope {
  businessUnitId: string;
  eventId: string;
}
