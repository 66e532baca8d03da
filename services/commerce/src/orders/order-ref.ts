/** The order that a row belongs to; null where it is unknown. */
export interface OrderRef {
  businessUnitId: string | null;
  eventId: string | null;
  orderId: string | null;
}
