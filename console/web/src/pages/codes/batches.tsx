import { useCommandList } from '../../api/api.queries.ts';
import { useTicketTypes } from '../../api/event-data.ts';
import type { CodeBatch } from '../../api/records.ts';
import { useEvent, useUnit } from '../../api/unit.ts';
import type { Column } from '../../components/list/column.ts';
import { RecordTable } from '../../components/list/record-table.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { TextLink } from '../../components/ui/link.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatCount } from '../../format/count.ts';
import { paths } from '../../format/paths.ts';
import { codesText as text } from '../../text/codes.ts';
import { Uses } from './code-table.tsx';
import { usesOf } from './codes.rules.ts';

const words = text.batchColumns;

/** The batches of the event, each with a link to its codes. */
export function Batches({ create }: { create: React.ReactNode }) {
  const unit = useUnit();
  const event = useEvent();
  const types = useTicketTypes().data?.ticketTypes ?? [];
  const names = new Map(types.map(({ id, name }) => [id, name]));
  const list = useCommandList<CodeBatch>('batches', 'code.listBatches', { eventId: event.id });
  const columns: Column<CodeBatch>[] = [
    {
      id: 'name',
      header: words.name,
      cell: ({ id, label, codes }) => (
        <TextLink href={paths.eventPage(unit.id, event.id, 'codes')} search={{ batch: id }}>
          {text.batchName(label, codes)}
        </TextLink>
      ),
    },
    {
      id: 'ticket',
      header: words.ticket,
      cell: ({ registrationTypeId }) => names.get(registrationTypeId) ?? registrationTypeId,
    },
    {
      id: 'active',
      header: words.active,
      isNumber: true,
      cell: ({ active, codes }) => text.activeOf(formatCount(active), formatCount(codes)),
    },
    { id: 'uses', header: words.uses, cell: (batch) => <Uses code={usesOf(batch)} /> },
    {
      id: 'created',
      header: words.created,
      cell: ({ createdAt }) => <Instant at={createdAt} />,
    },
  ];
  return (
    <Section isFlush>
      <RecordTable
        label={text.views.batches}
        list={list}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ label, codes }) => text.batchName(label, codes)}
        empty={
          <Empty guide="running-an-event#codes" title={text.noBatches} action={create}>
            {text.noBatchesText}
          </Empty>
        }
      />
    </Section>
  );
}
