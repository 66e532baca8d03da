import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useEvent } from '../../api/unit.ts';
import { Button } from '../../components/ui/button.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { programText as text } from '../../text/program.ts';

/** The button that deletes a record of the program, after a confirmation. */
export function DeleteAction({
  name,
  consequence,
  command,
  input,
  onDone,
}: {
  name: string;
  consequence: string;
  command: string;
  input: Record<string, unknown>;
  onDone: () => void;
}) {
  const event = useEvent();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const action = useAction(() => {
    toast(text.removed(name));
    setOpen(false);
    onDone();
  });
  return (
    <>
      <Button icon={Trash2} className="mr-auto" onClick={() => setOpen(true)}>
        {text.remove}
      </Button>
      <DangerDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={text.removeTitle(name)}
        consequence={consequence}
        confirmLabel={text.removeConfirm(name)}
        onConfirm={() => void action.run({ command, input: { eventId: event.id, ...input } })}
        isRunning={action.isRunning}
        error={action.error}
      />
    </>
  );
}
