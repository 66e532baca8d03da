/**
 * The id of a seat of an order. It is made of the id of the order and the place of the seat, counted
 * from 0, which never change.
 */
export const seatIdOf = (orderId: string, place: number): string =>
  `seat_${orderId.replace(/^ord_/, '')}_${place + 1}`;

/** Whether an id names a seat. An open seat stands with it where others stand with a registration. */
export const isSeatId = (id: string): boolean => id.startsWith('seat_');
