import { useQueryClient } from '@tanstack/react-query';
import { useAction, useSend } from '../../api/actions.ts';
import type { Member } from '../../api/records.ts';
import { sessionKey } from '../../api/session.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { roleText, teamText as text } from '../../text/team.ts';
import { RoleField } from './role-field.tsx';

/** Gives a member another role. A change of the own role changes the pages at once. */
export function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const send = useSend();
  const toast = useToast();
  const queries = useQueryClient();
  const { name, operatorId, role } = member;
  const form = useRecordForm<{ role: Member['role'] }>({ role }, async (values) => {
    await send({ command: 'member.setRole', input: { operatorId, role: values.role } });
    await queries.invalidateQueries({ queryKey: sessionKey });
    toast(text.roleChanged(name, roleText[values.role].label));
    onClose();
  });
  return (
    <Dialog isOpen onClose={onClose} title={text.changeRoleOf(name)}>
      <RecordForm form={form} submitLabel={text.saveRole} isInDialog>
        <RoleField />
      </RecordForm>
    </Dialog>
  );
}

export function RemoveDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const toast = useToast();
  const queries = useQueryClient();
  const { name, operatorId } = member;
  const action = useAction(() => {
    void queries.invalidateQueries({ queryKey: sessionKey });
    toast(text.removed(name));
    onClose();
  });
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.removeTitle(name)}
      consequence={text.removeText}
      confirmLabel={text.removeConfirm(name)}
      onConfirm={() => void action.run({ command: 'member.remove', input: { operatorId } })}
      isRunning={action.isRunning}
      error={action.error}
    />
  );
}
