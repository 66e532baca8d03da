import { useState } from 'react';
import { useAction, useSend } from '../../api/actions.ts';
import { useScopePath } from '../../api/api.queries.ts';
import { useClient } from '../../api/client.ts';
import type { WebhookEndpoint } from '../../api/records.ts';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import { NumberField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { webhooksText as text } from '../../text/webhooks.ts';
import { NewSecret } from './endpoint-form.tsx';
import { hostOf, replayUpTo } from './webhooks.rules.ts';

interface Props {
  /** The path of the endpoint. */
  path: string;
  onClose: () => void;
}

type DangerProps = Props & { endpoint: Pick<WebhookEndpoint, 'url'> };

/** Replaces the secret, and shows the new one once. */
export function RotateDialog({ endpoint: { url }, path, onClose }: DangerProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const action = useAction<{ secret: string }>((rotated) => setSecret(rotated.secret));
  if (secret !== null) return <NewSecret secret={secret} onClose={onClose} />;
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.rotateTitle(hostOf(url))}
      consequence={text.rotateText}
      confirmLabel={text.rotateConfirm(hostOf(url))}
      onConfirm={() => void action.run({ method: 'POST', path: `${path}/rotate-secret` })}
      isRunning={action.isRunning}
      error={action.error}
    />
  );
}

export function DisableDialog({ endpoint: { url }, path, onClose }: DangerProps) {
  const toast = useToast();
  const action = useAction(() => {
    toast(text.disabled);
    onClose();
  });
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.disableTitle(hostOf(url))}
      consequence={text.disableText}
      confirmLabel={text.disableConfirm(hostOf(url))}
      onConfirm={() => void action.run({ method: 'PATCH', path, body: { status: 'disabled' } })}
      isRunning={action.isRunning}
      error={action.error}
    />
  );
}

const resumeChoices = Object.entries(text.resume).map(([value, label]) => ({ value, label }));

/** Enables a disabled endpoint: with the changes that it has missed, or without them. */
export function EnableDialog({ path, onClose }: Props) {
  const send = useSend();
  const toast = useToast();
  const form = useRecordForm<{ resumeFrom: string }>(
    { resumeFrom: 'watermark' },
    async ({ resumeFrom }) => {
      const body = { status: 'enabled', ...(resumeFrom === 'now' && { resumeFrom }) };
      await send({ method: 'PATCH', path, body });
      toast(text.enabled);
      onClose();
    },
  );
  return (
    <Dialog isOpen onClose={onClose} title={text.enableTitle}>
      <RecordForm form={form} submitLabel={text.enableButton} isInDialog>
        <SelectField name="resumeFrom" label={text.resumeFrom} choices={resumeChoices} required />
      </RecordForm>
    </Dialog>
  );
}

/** Delivers a range of changes again. Without an end, it goes up to the newest change. */
export function ReplayDialog({ path, onClose }: Props) {
  const send = useSend();
  const client = useClient();
  const scope = useScopePath();
  const toast = useToast();
  const form = useRecordForm<{ from: number | null; to: number | null }>(
    { from: null, to: null },
    async ({ from, to }) => {
      const readNewest = () =>
        client.request<{ sequence: number }>({ path: `${scope}/v1/changes/head` });
      const body = to === null ? replayUpTo(from, (await readNewest()).sequence) : { from, to };
      await send({ method: 'POST', path: `${path}/replay`, body });
      toast(text.replayStarted);
      onClose();
    },
  );
  return (
    <Dialog isOpen onClose={onClose} title={text.replayTitle}>
      <RecordForm form={form} submitLabel={text.replayButton} isInDialog>
        <NumberField
          name="from"
          label={text.replayFrom}
          help={text.replayHelp}
          minimum={1}
          required
        />
        <NumberField name="to" label={text.replayTo} help={text.replayToHelp} minimum={1} />
      </RecordForm>
    </Dialog>
  );
}
