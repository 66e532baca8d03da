import { Printer } from 'lucide-react';
import { useRef, useState } from 'react';
import { useScopePath } from '../../api/api.queries.ts';
import { useClient } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { useTicketTypes } from '../../api/event-data.ts';
import { useEvent } from '../../api/unit.ts';
import { saveBlob } from '../../components/list/export-button.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { ErrorNote } from '../../components/ui/states.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { registrationsText as text } from '../../text/registrations.ts';

/** Opens a dialog that saves the badges of the event, or of one ticket type, as PDF. */
export function PrintBadges() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={Printer} onClick={() => setOpen(true)}>
        {text.printBadges}
      </Button>
      {isOpen && <PrintDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function PrintDialog({ onClose }: { onClose: () => void }) {
  const types = useTicketTypes().data?.ticketTypes ?? [];
  const [type, setType] = useState('');
  const { part, error, save, cancel } = useSaveBadges(onClose);
  const close = () => {
    cancel();
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={close}
      title={text.printBadges}
      description={text.printText}
      footer={
        <>
          {part !== null && (
            <span role="status" className="mr-auto self-center">
              {text.printing(part)}
            </span>
          )}
          <Button kind="primary" isBusy={part !== null} onClick={() => void save(type)}>
            {text.print}
          </Button>
        </>
      }
    >
      <label className="flex flex-col gap-1 text-sm font-medium">
        {text.printChoice}
        <select
          className="control w-full max-w-96"
          value={type}
          onChange={(event) => setType(event.target.value)}
        >
          <option value="">{text.printAll}</option>
          {types.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {isNothing(error) && (
        <p role="alert" className="mt-3">
          {text.noneToPrint}
        </p>
      )}
      {error && !isNothing(error) && <ErrorNote error={error} />}
    </Dialog>
  );
}

const isNothing = (error: Error | null): boolean =>
  error instanceof ApiError && error.reason === 'NOT_CONFIRMED';

/**
 * Saves file after file, until the last one. `part` is the number of the file that is being drawn.
 */
function useSaveBadges(onSaved: () => void) {
  const client = useClient();
  const scope = useScopePath();
  const event = useEvent();
  const toast = useToast();
  const cancelling = useRef(new AbortController());
  const [part, setPart] = useState<number | null>(null);
  const [error, setError] = useState<Error | null>(null);

  async function save(type: string): Promise<void> {
    cancelling.current = new AbortController();
    const { signal } = cancelling.current;
    const chosen = { eventId: event.id, ...(type !== '' && { registrationTypeId: type }) };
    setError(null);
    try {
      let cursor: string | null = null;
      let number = 0;
      do {
        number += 1;
        setPart(number);
        const body: object = { ...chosen, ...(cursor !== null && { cursor }) };
        const path = `${scope}/badges`;
        const { file, nextCursor } = await client.download({ method: 'POST', path, body, signal });
        const suffix = number === 1 && nextCursor === null ? '' : `-${number}`;
        saveBlob(`badges-${event.publicId}${suffix}.pdf`, file);
        cursor = nextCursor;
      } while (cursor !== null);
      toast(text.printed(number));
      onSaved();
    } catch (failure) {
      if (!signal.aborted) setError(failure as Error);
    } finally {
      setPart(null);
    }
  }

  return { part, error, save, cancel: () => cancelling.current.abort() };
}
