import { useForm } from '@tanstack/react-form';
import {
  createContext,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { ApiError } from '../../api/error.ts';
import { changedFields, placeIssues } from './form.rules.ts';

export type FormValues = Record<string, unknown>;

function useUntypedForm(
  defaultValues: FormValues,
  onSubmit: (values: FormValues) => Promise<void>,
) {
  return useForm({ defaultValues, onSubmit: ({ value }) => onSubmit(value) });
}

/** A form with the state of its last submission. */
export interface RecordForm {
  /** Unique on the page. */
  id: string;
  api: ReturnType<typeof useUntypedForm>;
  /** Problems that the server has found, by field. */
  issues: ReadonlyMap<string, string>;
  /** The labels of the fields that are shown, by field. */
  labels: RefObject<Map<string, string>>;
  dropIssue: (field: string) => void;
  failure: Error | null;
  /** True from a success until the next change, so that leaving the page does not warn. */
  isSaved: { current: boolean };
  discard: () => void;
}

/** What comes before the values are sent. */
interface Steps<Values> {
  /** Adds what a person does not type. The form keeps the result, also if the request fails. */
  complete?: (values: Values) => Values;
  /** Asks about a consequence. After a no, nothing is sent and what was typed stays. */
  confirm?: (changed: Partial<Values>) => Promise<boolean>;
}

/**
 * A form over one record. `onSubmit` sends it and throws what the server rejects; its second
 * argument has only the fields that were changed here, so that a form that was opened earlier does
 * not undo the changes of another person. The typed values stay until a submission succeeds, and
 * what is typed while it is sent stays afterwards; new `values` replace them only while nothing was
 * typed.
 */
export function useRecordForm<Values extends object>(
  values: Values,
  onSubmit: (values: Values, changed: Partial<Values>) => Promise<void>,
  { complete, confirm }: Steps<Values> = {},
): RecordForm {
  const id = useId();
  const [issues, setIssues] = useState<ReadonlyMap<string, string>>(new Map());
  const [failure, setFailure] = useState<Error | null>(null);
  const isSaved = useRef(false);
  const base = useRef(values);
  const labels = useRef(new Map<string, string>());
  const api = useUntypedForm(values as FormValues, async (typed) => {
    setIssues(new Map());
    setFailure(null);
    try {
      const submitted = complete ? (complete(typed as Values) as FormValues) : typed;
      for (const [name, value] of Object.entries(changedFields(typed, submitted))) {
        api.setFieldValue(name, value);
      }
      const changed = changedFields(base.current, submitted as Values);
      if (confirm && !(await confirm(changed))) return;
      await onSubmit(submitted as Values, changed);
      const typedMeanwhile = Object.entries(changedFields(submitted, api.state.values));
      base.current = submitted as Values;
      isSaved.current = typedMeanwhile.length === 0;
      api.reset(submitted);
      for (const [name, value] of typedMeanwhile) api.setFieldValue(name, value);
    } catch (error) {
      isSaved.current = false;
      setFailure(error as Error);
      setIssues(placeIssues(issuesOf(error), labels.current));
    }
  });
  if (!api.state.isTouched) base.current = values;
  return {
    id,
    api,
    issues,
    labels,
    dropIssue: (field) => {
      isSaved.current = false;
      if (issues.has(field)) setIssues(new Map([...issues].filter(([name]) => name !== field)));
    },
    failure,
    isSaved,
    discard: () => {
      setIssues(new Map());
      setFailure(null);
      api.reset();
    },
  };
}

function issuesOf(error: unknown): { field: string; issue: string }[] {
  if (!(error instanceof ApiError)) return [];
  return error.details.flatMap(({ field, issue }) =>
    field === undefined || issue === undefined ? [] : [{ field, issue }],
  );
}

const FormContext = createContext<RecordForm | null>(null);
export const FormProvider = FormContext.Provider;

export function useFormOfField(): RecordForm {
  const form = useContext(FormContext);
  if (!form) throw new Error('a field is outside of a form');
  return form;
}

/** Tells the form that a field is shown. Problems that the server finds name it by its label. */
export function useFieldLabel(name: string, label: string): void {
  const { labels } = useFormOfField();
  useEffect(() => {
    const all = labels.current;
    all.set(name, label);
    return () => void all.delete(name);
  }, [labels, name, label]);
}
