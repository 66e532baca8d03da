import { useStore } from '@tanstack/react-form';
import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useSend } from '../../api/actions.ts';
import { useStoreRead } from '../../api/api.queries.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { Form } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { CheckboxField, SelectField } from '../../components/form/choice-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import { TextAreaField, TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Button, IconButton } from '../../components/ui/button.tsx';
import { classes } from '../../components/ui/classes.ts';
import { Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { common } from '../../text/common.ts';
import { formPageText as text } from '../../text/settings.ts';
import {
  move,
  type Orphans,
  orphansOf,
  type Question,
  toEdited,
  toQuestions,
  withIds,
} from './form.rules.ts';
import { NoQuestions, Preview, WithPreview } from './preview.tsx';

const types = Object.entries(text.types).map(([value, label]) => ({ value, label }));

const newQuestion: Question = { id: '', label: '', type: 'text', required: false, options: '' };

/** The questions of the form, each moved by dragging its handle or by buttons, with a preview. */
export function Questions({ form: saved }: { form: Form }) {
  const event = useEvent();
  const path = useEventPath();
  const send = useSend();
  const storeRead = useStoreRead();
  const toast = useToast();
  const initial = { questions: saved.questions.map(toEdited) };
  const form = useRecordForm<{ questions: Question[] }>(
    initial,
    async ({ questions }) => {
      const input = { eventId: event.id, questions: toQuestions(questions) };
      storeRead(`${path}/form`, await send<Form>({ command: 'form.set', input }));
      toast(text.savedForm);
    },
    // The id stays from the first attempt on: answers belong to it, also if a response is lost and
    // the text changes.
    { complete: ({ questions }) => ({ questions: withIds(questions) }) },
  );
  const questions = useStore(form.api.store, (state) => state.values.questions as Question[]);
  const change = (next: Question[]) => form.api.setFieldValue('questions', next as never);
  const orphans = orphansOf(saved.questions, questions);
  const [dragged, setDragged] = useState<number | null>(null);
  const drop = (target: number) => {
    if (dragged !== null) change(move(questions, dragged, target));
    setDragged(null);
  };
  return (
    <Section title={text.form} description={text.formText}>
      <RecordForm form={form} submitLabel={common.save}>
        <WithPreview preview={<Preview questions={questions} />}>
          {questions.length === 0 && <NoQuestions />}
          {questions.map((question, index) => (
            <fieldset
              // biome-ignore lint/suspicious/noArrayIndexKey: the fields are read by their index
              key={index}
              className={classes(
                'flex flex-col gap-3 rounded-md border border-line p-3',
                dragged === index && 'opacity-50',
              )}
              onDragOver={(event) => {
                if (dragged !== null) event.preventDefault();
              }}
              onDrop={(event) => {
                event.preventDefault();
                drop(index);
              }}
            >
              <legend
                draggable
                onDragStart={(event) => {
                  event.dataTransfer.effectAllowed = 'move';
                  // Firefox drags nothing without data.
                  event.dataTransfer.setData('text/plain', question.label);
                  setDragged(index);
                }}
                onDragEnd={() => setDragged(null)}
                className="flex cursor-grab items-center gap-1 px-1 text-sm font-medium"
              >
                <GripVertical aria-hidden className="size-4 text-muted" />
                {text.question(index + 1)}
              </legend>
              <TextField
                name={`questions[${index}].label`}
                label={text.label}
                required
                maxLength={200}
              />
              <SelectField
                name={`questions[${index}].type`}
                label={text.type}
                required
                choices={types}
              />
              {question.type === 'choice' && (
                <TextAreaField
                  name={`questions[${index}].options`}
                  label={text.options}
                  help={text.optionsHelp}
                  required
                  hasUniqueLines
                />
              )}
              <div className="flex flex-wrap items-center justify-between gap-2">
                <CheckboxField name={`questions[${index}].required`} label={text.required} />
                <span className="flex gap-1">
                  <IconButton
                    icon={ArrowUp}
                    label={text.up(index + 1)}
                    onClick={() => change(move(questions, index, index - 1))}
                  />
                  <IconButton
                    icon={ArrowDown}
                    label={text.down(index + 1)}
                    onClick={() => change(move(questions, index, index + 1))}
                  />
                  <IconButton
                    icon={Trash2}
                    label={text.remove(index + 1)}
                    onClick={() => change(questions.toSpliced(index, 1))}
                  />
                </span>
              </div>
            </fieldset>
          ))}
          {orphans.length > 0 && (
            <div className="text-sm text-amber">
              <p>{text.orphans}</p>
              <ul className="list-disc pl-5">
                {orphans.map((each) => (
                  <li key={each.label}>{orphanText(each)}</li>
                ))}
              </ul>
            </div>
          )}
          <div>
            <Button icon={Plus} onClick={() => change([...questions, newQuestion])}>
              {text.addQuestion}
            </Button>
          </div>
        </WithPreview>
      </RecordForm>
    </Section>
  );
}

function orphanText(orphans: Orphans): string {
  const { label } = orphans;
  switch (orphans.cause) {
    case 'removed':
      return text.orphansOfRemoved(label);
    case 'type':
      return text.orphansOfType(label);
    case 'options':
      return text.orphansOfOptions(label, orphans.options.join(', '));
  }
}
