import { Archive, ArrowDown, ArrowUp, CirclePlay, CircleStop, Pencil } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { ActionMenu } from '../../components/ui/menu.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { common } from '../../text/common.ts';
import { ticketsText } from '../../text/tickets.ts';
import type { Moves } from './item-table.tsx';

/** The moves of something that is sold, as its status permits. */
export function SaleMenu({
  name,
  status,
  path,
  moves,
  archiveText,
  onEdit,
}: {
  name: string;
  status: string;
  path: string;
  moves: Moves;
  archiveText: string;
  onEdit: () => void;
}) {
  const toast = useToast();
  const [isArchiving, setArchiving] = useState(false);
  const action = useAction(() => {
    setArchiving(false);
    toast(ticketsText.saved(name));
  });
  const move = (next: string) => void action.run({ method: 'PATCH', path, body: { status: next } });
  if (status === 'archived') return null;
  return (
    <>
      <ActionMenu
        label={`${common.moreActions}: ${name}`}
        actions={[
          { label: common.edit, icon: Pencil, onSelect: onEdit },
          status === 'draft' && {
            label: ticketsText.open,
            icon: CirclePlay,
            onSelect: () => move('open'),
          },
          status === 'closed' && {
            label: ticketsText.reopen,
            icon: CirclePlay,
            onSelect: () => move('open'),
          },
          status === 'open' && {
            label: ticketsText.close,
            icon: CircleStop,
            onSelect: () => move('closed'),
          },
          moves.up && { label: ticketsText.moveUp, icon: ArrowUp, onSelect: moves.up },
          moves.down && { label: ticketsText.moveDown, icon: ArrowDown, onSelect: moves.down },
          {
            label: ticketsText.archive,
            icon: Archive,
            isDanger: true,
            onSelect: () => setArchiving(true),
          },
        ]}
      />
      <DangerDialog
        isOpen={isArchiving}
        onClose={() => setArchiving(false)}
        title={ticketsText.archiveTitle(name)}
        consequence={archiveText}
        confirmLabel={ticketsText.archiveConfirm(name)}
        onConfirm={() => move('archived')}
        isRunning={action.isRunning}
        error={action.error}
      />
    </>
  );
}
