import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useSend } from '../../api/actions.ts';
import { type Command, type Schema, useCommands } from '../../api/api.commands.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Badge } from '../../components/ui/badge.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { commandsText } from '../../text/text.commands.ts';
import { ResultView } from './result-view.tsx';
import { SchemaFields } from './schema-fields.tsx';
import { initialValue, toInput } from './schema-rules.ts';

/** The form of one operator command. */
export function CommandPage() {
  const { operationId } = useParams({ strict: false }) as { operationId: string };
  const commands = useCommands();
  const command = commands.data?.find((each) => each.operationId === operationId);
  if (commands.isPending) return <SkeletonRows />;
  if (commands.error) {
    return <ErrorNote error={commands.error} onRetry={() => void commands.refetch()} />;
  }
  if (!command) return <p>{commandsText.notFound}</p>;
  return <CommandForm key={operationId} command={command} />;
}

function CommandForm({ command }: { command: Command }) {
  const [index, setIndex] = useState(0);
  const variant = command.variants[index] ?? command.variants[0];
  if (!variant) return null;
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title={command.operationId}
        badge={<Badge tone="gray">{command.permission.join(', ')}</Badge>}
        description={
          <>
            {command.summary}. {command.description}
          </>
        }
      />
      {command.variants.length > 1 && (
        <label className="mb-4 flex max-w-sm flex-col gap-1">
          <span className="font-medium">{commandsText.variant}</span>
          <select
            className="control"
            value={index}
            onChange={(event) => setIndex(Number(event.target.value))}
          >
            {command.variants.map(({ owner, schema }, position) => (
              <option key={owner} value={position}>
                {variantName(schema) ?? owner}
              </option>
            ))}
          </select>
        </label>
      )}
      <VariantForm key={variant.owner} name={command.operationId} schema={variant.schema} />
    </div>
  );
}

/** The constant that selects a variant, such as `redemption_code` or `onsite`. */
function variantName(schema: Schema): string | null {
  const values = Object.values(schema.properties ?? {}).flatMap((property) =>
    property.const !== undefined ? [String(property.const)] : (property.enum ?? []).map(String),
  );
  return values.length > 0 ? values.join(', ') : null;
}

function VariantForm({ name, schema }: { name: string; schema: Schema }) {
  const send = useSend();
  const toast = useToast();
  const [result, setResult] = useState<unknown>(undefined);
  const [{ event }] = useSearchState();
  const initial = {
    ...(initialValue(schema, schema, true) as Record<string, unknown>),
    // The page from which the command was opened names the event.
    ...(schema.properties?.eventId && event && { eventId: event }),
  };
  const form = useRecordForm(initial, async (values) => {
    setResult(await send({ command: name, input: toInput(values) as Record<string, unknown> }));
    toast(commandsText.done(name));
  });
  return (
    <>
      <Section>
        <RecordForm form={form} submitLabel={commandsText.run(name)}>
          <SchemaFields schema={schema} />
        </RecordForm>
      </Section>
      {result !== undefined && (
        <Section title={commandsText.resultOf(name)} className="mt-4">
          <ResultView value={result} />
        </Section>
      )}
    </>
  );
}
