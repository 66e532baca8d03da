import { useStore } from '@tanstack/react-form';
import { useState } from 'react';
import { useSend } from '../../api/actions.ts';
import type { WebhookEndpoint } from '../../api/records.ts';
import { CheckboxField, CheckboxListField } from '../../components/form/choice-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import { TextField } from '../../components/form/text-fields.tsx';
import { type RecordForm as Form, useRecordForm } from '../../components/form/use-record-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { SecretDialog } from '../../components/ui/secret-dialog.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { changeText } from '../../text/changes.ts';
import { common } from '../../text/common.ts';
import { webhooksText as text } from '../../text/webhooks.ts';

interface Values {
  url: string;
  isEveryType: boolean;
  types: string[];
}

const inputOf = ({ url, isEveryType, types }: Values) => ({
  url: url.trim(),
  types: isEveryType ? null : types,
});

const choices = Object.entries(changeText).map(([value, label]) => ({ value, label }));

function Fields({ form }: { form: Form }) {
  const isEveryType = useStore(form.api.store, ({ values }) => values.isEveryType);
  return (
    <>
      <TextField name="url" type="url" label={text.url} help={text.urlHelp} required />
      <CheckboxField name="isEveryType" label={text.allTypes} />
      {!isEveryType && (
        <CheckboxListField
          name="types"
          label={text.types}
          choices={choices}
          required
          minItems={1}
        />
      )}
    </>
  );
}

/** Creates an endpoint, and shows its secret once. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const send = useSend();
  const [secret, setSecret] = useState<string | null>(null);
  const form = useRecordForm<Values>({ url: '', isEveryType: true, types: [] }, async (values) => {
    const created = await send<{ secret: string }>({
      method: 'POST',
      path: 'v1/webhook-endpoints',
      body: inputOf(values),
    });
    setSecret(created.secret);
  });
  if (secret !== null) return <NewSecret secret={secret} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title={text.create}>
      <RecordForm form={form} submitLabel={text.createButton} isInDialog>
        <Fields form={form} />
      </RecordForm>
    </Dialog>
  );
}

export const NewSecret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <SecretDialog
    secret={secret}
    title={text.secretTitle}
    description={text.secretText}
    copyLabel={text.copySecret}
    onClose={onClose}
  />
);

export function EditDialog({
  endpoint,
  onClose,
}: {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}) {
  const send = useSend();
  const toast = useToast();
  const { id, url, types } = endpoint;
  const values = { url, isEveryType: types === null, types: types ?? [] };
  const form = useRecordForm<Values>(values, async (changed) => {
    const path = `v1/webhook-endpoints/${encodeURIComponent(id)}`;
    await send({ method: 'PATCH', path, body: inputOf(changed) });
    toast(text.saved);
    onClose();
  });
  return (
    <Dialog isOpen onClose={onClose} title={text.editTitle}>
      <RecordForm form={form} submitLabel={common.save} isInDialog>
        <Fields form={form} />
      </RecordForm>
    </Dialog>
  );
}
