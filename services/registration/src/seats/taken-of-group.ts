/** The taken seats of the capacity group of a ticket type, with the projection of the type as `t`. */
export const takenOfGroupSql = `(
  select coalesce(sum(m.confirmed + m.reserved), 0)
  from registration.ticket_type_projection u join registration.seat_ledger m on m.ticket_type_id = u.id
  where u.event_id = t.event_id and (u.business_unit_id = t.business_unit_id) is true
    and (u.capacity_group_id = t.capacity_group_id) is true)`;
