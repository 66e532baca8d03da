import { useStore } from '@tanstack/react-form';
import { type ReactNode, useEffect, useRef } from 'react';
import { fieldWords } from '../../format/field-words.ts';
import { common } from '../../text/common.ts';
import { errorText } from '../../text/errors.ts';
import { formText } from '../../text/forms.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { UnsavedGuard } from '../ui/unsaved-guard.tsx';
import { fieldId, isUnreadable } from './field-id.ts';
import { FormProvider, type RecordForm as RecordFormState } from './use-record-form.ts';

/**
 * The frame of a form: what the server has rejected on top, the fields, and a footer that stays in
 * view. Leaving with unsaved changes asks first, and so does closing the dialog around it
 * (`isInDialog`). A form that is read only has neither a footer nor fields to change.
 */
export function RecordForm({
  form,
  submitLabel,
  children,
  isInDialog = false,
  isReadOnly = false,
  extraAction,
}: {
  form: RecordFormState;
  submitLabel: string;
  children: ReactNode;
  isInDialog?: boolean;
  isReadOnly?: boolean;
  extraAction?: ReactNode;
}) {
  const isBusy = useStore(form.api.store, (state) => state.isSubmitting);
  const isDirty = useStore(form.api.store, (state) => !state.isDefaultValue);
  return (
    <FormProvider value={form}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          const element = event.currentTarget;
          void submit(form).then(() => focusFirstInvalid(element));
        }}
        className="flex flex-col gap-4 text-base"
      >
        <Summary form={form} />
        <fieldset disabled={isReadOnly} className="contents">
          {children}
        </fieldset>
        {!isReadOnly && (
          <footer
            className={
              isInDialog
                ? 'flex flex-wrap justify-end gap-2 pt-2'
                : 'sticky bottom-0 z-10 -mx-4 mt-2 -mb-4 flex flex-wrap rounded-b-md items-center justify-end gap-2 border-t border-line bg-surface px-4 py-3 max-md:bottom-14'
            }
          >
            {isDirty && !isInDialog && (
              <span className="mr-auto text-sm text-muted">{formText.unsaved}</span>
            )}
            {extraAction}
            {!isInDialog && (
              <Button
                onClick={(event) => {
                  clearUnreadable(event.currentTarget.form);
                  form.discard();
                }}
                disabled={!isDirty}
              >
                {common.discard}
              </Button>
            )}
            <Button kind="primary" type="submit" isBusy={isBusy}>
              {submitLabel}
            </Button>
          </footer>
        )}
        <UnsavedGuard
          hasUnsaved={() => isDirty && !form.isSaved.current}
          isRunning={isBusy}
          hasFailed={form.failure !== null}
        />
      </form>
    </FormProvider>
  );
}

/**
 * Validates again first. The form refuses a submission while a field has a problem, and browsers
 * report no change when an entry that they could not read is removed.
 */
async function submit({ api }: RecordFormState): Promise<void> {
  await api.validateAllFields('blur');
  await api.handleSubmit();
}

/**
 * Empties the controls whose entry has no value in the form, which a reset of the form leaves as
 * they are.
 */
function clearUnreadable(form: HTMLFormElement | null): void {
  for (const control of form?.elements ?? []) {
    if (isUnreadable(control)) (control as HTMLInputElement).value = '';
  }
}

function focusFirstInvalid(form: HTMLElement): void {
  const invalid = form.querySelector<HTMLElement>('[aria-invalid="true"]');
  invalid?.focus();
}

/** What the server has rejected, with links to the fields. */
function Summary({ form }: { form: RecordFormState }) {
  const box = useRef<HTMLDivElement>(null);
  const { failure, issues, labels } = form;
  useEffect(() => {
    if (failure) box.current?.focus();
  }, [failure]);
  if (!failure) return null;
  if (issues.size === 0) {
    return (
      <div ref={box} tabIndex={-1}>
        <ErrorNote error={failure} />
      </div>
    );
  }
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="alert"
      className="rounded-md bg-red-soft px-3 py-2 text-sm text-red"
    >
      <p className="font-medium">{errorText.summaryTitle(issues.size)}</p>
      <ul className="mt-1 list-disc pl-5">
        {[...issues].map(([field, issue]) => (
          <li key={field}>
            <a
              href={`#${fieldId(form.id, field)}`}
              className="underline"
              onClick={(event) => {
                event.preventDefault();
                document.getElementById(fieldId(form.id, field))?.focus();
              }}
            >
              {labels.current.get(field) ?? fieldWords(field)} {issue}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
