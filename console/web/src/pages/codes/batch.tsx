import { ArrowLeft, Ban } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useCommandList, useCommandRead } from '../../api/api.queries.ts';
import { useTicketTypes } from '../../api/event-data.ts';
import type { CodeBatch, RedemptionCode } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { MissingRecord } from '../../components/detail/detail-error.tsx';
import { ExportButton } from '../../components/list/export-button.tsx';
import { Button, ButtonLink } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { PageHeader } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { formatCount } from '../../format/count.ts';
import { paths } from '../../format/paths.ts';
import { codesText as text } from '../../text/codes.ts';
import { detailText } from '../../text/detail.ts';
import { CodeTable, codeColumns } from './code-table.tsx';

/** The codes of one batch, which are exported and disabled together. */
export function Batch({ id }: { id: string }) {
  const unit = useUnit();
  const event = useEvent();
  const mayWrite = usePermission('codes');
  const [isDisabling, setDisabling] = useState(false);
  const input = { eventId: event.id, batchId: id };
  const list = useCommandList<RedemptionCode>('redemptionCodes', 'code.listBatch', input);
  const batches = useCommandRead<{ batches: CodeBatch[] }>('code.listBatches', {
    eventId: event.id,
  });
  const types = useTicketTypes().data?.ticketTypes ?? [];
  const batch = batches.data?.batches.find((each) => each.id === id);
  if (batches.data && !batch) return <MissingRecord />;
  return (
    <>
      <PageHeader
        title={batch ? text.batchName(batch.label, batch.codes) : text.batch}
        description={
          <>
            {batch && `${text.activeOf(formatCount(batch.active), formatCount(batch.codes))} `}
            <CopyText text={id} label={detailText.copyId} />
          </>
        }
        actions={
          <>
            <ButtonLink
              icon={ArrowLeft}
              href={paths.eventPage(unit.id, event.id, 'codes')}
              search={{ view: 'batches' }}
            >
              {text.views.batches}
            </ButtonLink>
            <ExportButton<RedemptionCode>
              listKey="redemptionCodes"
              path="code.listBatch"
              input={input}
              fileName={`codes-${event.publicId}-${id}.csv`}
              columns={codeColumns(event, types)}
            />
            {mayWrite && batch && batch.active > 0 && (
              <Button icon={Ban} onClick={() => setDisabling(true)}>
                {text.disableBatch}
              </Button>
            )}
          </>
        }
      />
      <CodeTable list={list} empty={<Empty title={text.empty} />} />
      {isDisabling && batch && <DisableDialog batch={batch} onClose={() => setDisabling(false)} />}
    </>
  );
}

function DisableDialog({ batch, onClose }: { batch: CodeBatch; onClose: () => void }) {
  const event = useEvent();
  const toast = useToast();
  const { id: batchId, active, label, codes } = batch;
  const action = useAction(() => {
    toast(text.batchDisabled(active));
    onClose();
  });
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.disableTitle(text.batchName(label, codes))}
      consequence={text.disableBatchText(active)}
      confirmLabel={text.disableBatchConfirm(label, active, codes)}
      onConfirm={() =>
        void action.run({ command: 'code.disableBatch', input: { eventId: event.id, batchId } })
      }
      isRunning={action.isRunning}
      error={action.error}
    />
  );
}
