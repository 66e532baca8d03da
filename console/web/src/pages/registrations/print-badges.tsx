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
import { registrationListText } from '../../text/registration-list.ts';
import { registrationsText as text } from '../../text/registrations.ts';

const listText = registrationListText.bulk;

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

/** Saves the badges of the selected people as PDF. */
export function PrintSelected({ registrationIds }: { registrationIds: readonly string[] }) {
  const toast = useToast();
  const { part, save } = useSaveBadges(() => {});
  const print = async () => {
    if (!(await save({ registrationIds }))) toast(listText.printFailed);
  };
  return (
    <Button icon={Printer} isBusy={part !== null} onClick={() => void print()}>
      {listText.print(registrationIds.length)}
    </Button>
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
          <Button
            kind="primary"
            isBusy={part !== null}
            onClick={() => void save(type === '' ? {} : { registrationTypeId: type })}
          >
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

/** Whose badges are saved: those of a ticket type, those of some people, or without both all. */
interface BadgesOf {
  registrationTypeId?: string;
  registrationIds?: readonly string[];
}

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

  /** Returns whether all files are saved. */
  async function save(of: BadgesOf): Promise<boolean> {
    cancelling.current = new AbortController();
    const { signal } = cancelling.current;
    const chosen = { eventId: event.id, ...of };
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
      return true;
    } catch (failure) {
      if (!signal.aborted) setError(failure as Error);
      return false;
    } finally {
      setPart(null);
    }
  }

  return { part, error, save, cancel: () => cancelling.current.abort() };
}
