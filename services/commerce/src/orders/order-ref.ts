/** The order of a row. Every field is null if the order is unknown. */
export interface OrderRef {
  businessUnitId: string | null;
  eventId: string | null;
  orderId: string | null;
}
