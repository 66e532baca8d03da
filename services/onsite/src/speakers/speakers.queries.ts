import { type Columns, columnsOf, type RowOf } from '@event-api/platform/db/columns';
import { newestOfEvent } from '@event-api/platform/db/list';
import { recordReader } from '@event-api/platform/db/record';
import { isOnAgendaSql } from '../program/agenda.ts';
import { Speaker } from './speaker.entity.ts';

const columns = columnsOf(Speaker, 'p', {
  omit: ['businessUnitId', 'sessionIds', 'insertionOrder'],
});

// `sessionIds` contains the sessions that are on the agenda, in the order of the request that set them.
export const speakerColumns: Columns<RowOf<typeof columns> & { sessionIds: string[] }> = {
  sql: `${columns.sql}, array(select s.id from unnest(p.session_ids) with ordinality x(id, n)
    join onsite.session s on s.id = x.id and (s.business_unit_id = p.business_unit_id) is true and (s.event_id = p.event_id) is true
    join onsite.event_projection e on e.id = s.event_id
    where ${isOnAgendaSql} order by x.n) as "sessionIds"`,
};
export type SpeakerRow = RowOf<typeof speakerColumns>;

const select = `select ${speakerColumns.sql} from onsite.speaker p`;

/** Reads one speaker. */
export const { find: findSpeaker, read: readSpeaker } = recordReader<SpeakerRow>({
  name: 'speaker_by_id',
  select,
  alias: 'p',
});

/** Lists the speakers of an event. Uses the index `speaker_newest_first`. */
export const listNewestSpeakers = newestOfEvent<SpeakerRow>({
  name: 'speakers',
  select,
  table: 'onsite.speaker',
  alias: 'p',
});
