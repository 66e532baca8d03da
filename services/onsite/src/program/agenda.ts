/**
 * SQL condition: a session is on the agenda if it was created after the last date move of its event
 * that is projected here. `e` is the projected event, `s` the session.
 */
export const isOnAgendaSql = 's.agenda_version >= e.agenda_version';
