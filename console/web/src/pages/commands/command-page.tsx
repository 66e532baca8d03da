import { useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useSend } from '../../api/actions.ts';
import { type Command, type Schema, useCommands } from '../../api/api.commands.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Button } from '../../components/ui/button.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { commandsText as text } from '../../text/text.commands.ts';
import { CommandHeader } from './command-header.tsx';
import { splitSummary } from './commands.rules.ts';
import { labelOf } from './labels.ts';
import { RequestView } from './request-view.tsx';
import { ResultView } from './result-view.tsx';
import { SchemaFields } from './schema-fields.tsx';
import { initialValue, toInput } from './schema-rules.ts';

/** The form of one operator command, its request and its response. */
export function CommandPage() {
  const { operationId } = useParams({ strict: false }) as { operationId: string };
  const commands = useCommands();
  const command = commands.data?.find((each) => each.operationId === operationId);
  if (commands.isPending) return <SkeletonRows />;
  if (commands.error) {
    return <ErrorNote error={commands.error} onRetry={() => void commands.refetch()} />;
  }
  if (!command) return <p>{text.notFound}</p>;
  return <CommandForm key={operationId} command={command} />;
}

function CommandForm({ command }: { command: Command }) {
  const [index, setIndex] = useState(0);
  const variant = command.variants[index] ?? command.variants[0];
  if (!variant) return null;
  return (
    <>
      <CommandHeader command={command} />
      {command.variants.length > 1 && (
        <label className="mb-4 flex max-w-sm flex-col gap-1">
          <span className="font-medium">{text.variant}</span>
          <select
            className="control"
            value={index}
            onChange={(event) => setIndex(Number(event.target.value))}
          >
            {command.variants.map(({ owner, schema }, position) => (
              <option key={owner} value={position}>
                {variantName(schema) ?? labelOf(owner)}
              </option>
            ))}
          </select>
        </label>
      )}
      <VariantForm key={variant.owner} command={command} schema={variant.schema} />
    </>
  );
}

/** The constant that selects a variant, such as `redemption_code` or `onsite`, in words. */
function variantName(schema: Schema): string | null {
  const values = Object.values(schema.properties ?? {}).flatMap((property) =>
    property.const !== undefined ? [String(property.const)] : (property.enum ?? []).map(String),
  );
  return values.length > 0 ? values.map(labelOf).join(', ') : null;
}

/** The response, with the input that it is the response to. */
interface Ran {
  input: Record<string, unknown>;
  output: unknown;
}

function VariantForm({ command, schema }: { command: Command; schema: Schema }) {
  const { operationId: name, summary, isRead } = command;
  const send = useSend();
  const toast = useToast();
  const [ran, setRan] = useState<Ran | null>(null);
  const [{ event }] = useSearchState();
  const isPhone = useIsPhone();
  const response = useRef<HTMLDivElement>(null);
  const [values, setValues] = useState<Record<string, unknown>>(() => ({
    ...(initialValue(schema, schema, true) as Record<string, unknown>),
    // The page from which the command was opened names the event.
    ...(schema.properties?.eventId && event && { eventId: event }),
  }));
  const run = async (input: Record<string, unknown>) =>
    setRan({ input, output: await send({ command: name, input }) });
  const form = useRecordForm(values, async (typed) => {
    await run(toInput(typed) as Record<string, unknown>);
    // They stay, so that the command can be run again with another value.
    setValues(typed);
    if (!isRead) toast(text.done(splitSummary(summary).title));
  });
  useEffect(() => {
    // On a phone the response is below the form.
    if (ran && isPhone) response.current?.scrollIntoView({ block: 'start' });
  }, [ran, isPhone]);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Section title={text.values}>
        <RecordForm form={form} submitLabel={text.run}>
          <SchemaFields schema={schema} />
        </RecordForm>
      </Section>
      <div ref={response} className="flex min-w-0 scroll-mt-16 flex-col gap-4">
        <Section title={text.response}>
          {ran ? (
            <Response ran={ran} onRun={run} />
          ) : (
            <p className="text-muted">{text.noResponse}</p>
          )}
        </Section>
        <RequestView name={name} form={form} />
      </div>
    </div>
  );
}

/** The response, and the way to the next page of a list. */
function Response({ ran, onRun }: { ran: Ran; onRun: (input: Ran['input']) => Promise<void> }) {
  const [failure, setFailure] = useState<Error | null>(null);
  const { nextCursor: cursor } = (ran.output ?? {}) as { nextCursor?: unknown };
  return (
    <div className="flex flex-col gap-2">
      <ResultView value={ran.output} />
      {failure && <ErrorNote error={failure} />}
      {typeof cursor === 'string' && (
        <div>
          <Button
            onClick={() => {
              setFailure(null);
              onRun({ ...ran.input, cursor }).catch(setFailure);
            }}
          >
            {text.nextPage}
          </Button>
        </div>
      )}
    </div>
  );
}
