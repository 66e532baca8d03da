import { useStore } from '@tanstack/react-form';
import { Copy, Terminal } from 'lucide-react';
import { useOptionalUnit } from '../../api/unit.ts';
import type { RecordForm } from '../../components/form/use-record-form.ts';
import { Button } from '../../components/ui/button.tsx';
import { copy } from '../../components/ui/copy.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { common } from '../../text/common.ts';
import { commandsText as text } from '../../text/text.commands.ts';
import { commandLine } from './commands.rules.ts';
import { JsonView } from './json-view.tsx';
import { toInput } from './schema-rules.ts';

/** What the form sends, as it is typed: the values as JSON, and the same for the command line. */
export function RequestView({ name, form }: { name: string; form: RecordForm }) {
  const unit = useOptionalUnit();
  const toast = useToast();
  const values = useStore(form.api.store, (state) => state.values);
  const input = {
    ...(unit && { businessUnitId: unit.id }),
    ...(toInput(values) as Record<string, unknown>),
  };
  const copyText = (copied: string) => void copy(copied).then(() => toast(common.copied));
  return (
    <Section title={text.request} description={text.requestText}>
      <div className="flex flex-col gap-2">
        <JsonView value={input} />
        <div className="flex flex-wrap gap-2">
          <Button icon={Copy} onClick={() => copyText(JSON.stringify(input, null, 2))}>
            {text.copyRequest}
          </Button>
          <Button icon={Terminal} onClick={() => copyText(commandLine(name, input))}>
            {text.copyCommandLine}
          </Button>
        </div>
      </div>
    </Section>
  );
}
