import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useAction, useSendOnly, useSubmission } from '../../api/actions.ts';
import { useReload } from '../../api/api.queries.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { DateTimeField, TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { Facts } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { now } from '../../format/clock.ts';
import { paths } from '../../format/paths.ts';
import { duplicateText as text } from '../../text/duplicate.ts';
import {
  type Copied,
  type CopySource,
  copyable,
  copySteps,
  suggestedStart,
} from './duplicate.rules.ts';
import { useCopySource } from './use-copy-source.ts';

/** Copies the event without its people. It says before what is copied, and what is not. */
export function DuplicateDialog({ onClose }: { onClose: () => void }) {
  const event = useEvent();
  const reload = useReload();
  const [isCurrent, setCurrent] = useState(false);
  const { source, error } = useCopySource();
  // What the page has read before may have changed since.
  useEffect(() => void reload().then(() => setCurrent(true)), [reload]);
  return (
    <Dialog isOpen onClose={onClose} title={text.title(event.name)} description={text.description}>
      {source && isCurrent ? (
        <CopyForm source={source} onClose={onClose} />
      ) : error ? (
        <ErrorNote error={error} />
      ) : (
        <SkeletonRows count={4} />
      )}
    </Dialog>
  );
}

interface Progress {
  done: number;
  all: number;
  /** The id of the new event, once it exists. */
  copyId: string | null;
}

const notStarted: Progress = { done: 0, all: 0, copyId: null };

/**
 * Writes the copy step by step. After a failure it goes on where it stopped; the name and the start
 * stay, because the event exists already.
 */
function CopyForm({ source, onClose }: { source: CopySource; onClose: () => void }) {
  const unit = useUnit();
  const { event } = source;
  // What changes after the first step does not change the others.
  const copied = useRef<CopySource | null>(null);
  const submit = useSubmission(useSendOnly());
  const reload = useReload();
  const navigate = useNavigate();
  const toast = useToast();
  const [{ done, all, copyId }, setProgress] = useState(notStarted);
  const [values] = useState(() => ({
    name: text.copyOf(event.name),
    startsAt: event.startsAt && suggestedStart(event.startsAt, event.timezone, now()),
  }));
  const form = useRecordForm(values, async ({ name, startsAt }) => {
    copied.current ??= source;
    const steps = copySteps(copied.current, { name, startsAt });
    const ids = new Map<string, string>();
    await submit(async (once) => {
      for (const [index, { write, copies }] of steps.entries()) {
        const response = await once<Copied>(write(ids));
        for (const [original, copy] of copies(response)) ids.set(original, copy);
        setProgress({ done: index + 1, all: steps.length, copyId: ids.get(event.id) ?? null });
      }
    });
    void reload();
    toast(text.created(name));
    onClose();
    await navigate({ to: paths.event(unit.id, ids.get(event.id) ?? ''), ignoreBlocker: true });
  });
  const hasStopped = form.failure !== null && copyId !== null;
  return (
    <RecordForm
      form={form}
      submitLabel={copyId ? text.proceed : text.submit}
      isInDialog
      extraAction={hasStopped && <ArchiveCopy copyId={copyId} onClose={onClose} />}
    >
      <TextField name="name" label={text.name} required maxLength={200} isDisabled={!!copyId} />
      {event.startsAt ? (
        <DateTimeField
          name="startsAt"
          label={text.startsAt}
          help={text.startsAtHelp}
          zone={event.timezone}
          required
          isDisabled={!!copyId}
        />
      ) : (
        <p className="text-muted">{text.noStart}</p>
      )}
      <Parts source={copyable(source)} />
      {copyId && (
        <div role="status" className="flex flex-col gap-1 text-sm text-muted">
          <progress value={done} max={all} className="w-full" />
          {hasStopped ? text.stopped(done, all) : text.progress(done, all)}
        </div>
      )}
    </RecordForm>
  );
}

function ArchiveCopy({ copyId, onClose }: { copyId: string; onClose: () => void }) {
  const toast = useToast();
  const action = useAction(() => {
    toast(text.archived);
    onClose();
  });
  return (
    <Button
      isBusy={action.isRunning}
      onClick={() => void action.run({ method: 'POST', path: `v1/events/${copyId}/archive` })}
    >
      {text.archive}
    </Button>
  );
}

function Parts({ source }: { source: CopySource }) {
  const { parts } = text;
  const maySetPolicy = usePermission('policy');
  const counted = [
    [source.ticketTypes, parts.tickets],
    [source.addons, parts.addons],
    [source.bundles, parts.bundles],
    [source.perks, parts.perks],
    [source.questions, parts.questions],
    [source.venues, parts.rooms],
    [source.sessions, parts.sessions],
  ] as const;
  const copied = [
    ...counted.flatMap(([records, words]) => (records.length > 0 ? [words(records.length)] : [])),
    parts.settings,
    ...(source.policy ? [parts.policy] : []),
  ];
  const left = [text.notCopiedText, ...(maySetPolicy ? [] : [text.noPolicy])];
  return (
    <Facts
      items={[
        [text.copied, copied.join(', ')],
        [text.notCopied, left.join(', ')],
      ]}
    />
  );
}
