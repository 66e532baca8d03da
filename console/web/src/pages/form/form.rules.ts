import type { Form } from '../../api/records.ts';

/** A question as it is edited. Its id stays when its text changes, so that answers stay with it. */
export interface Question {
  id: string;
  label: string;
  type: 'text' | 'number' | 'boolean' | 'choice';
  required: boolean;
  /** One option per line; only of a choice. */
  options: string;
}

/** A stored question as it is edited. */
export const toEdited = ({ options, ...question }: Form['questions'][number]): Question => ({
  ...question,
  options: (options ?? []).join('\n'),
});

/** An id for a new question, from its label: short, and not yet in use. */
export function questionId(label: string, used: readonly string[]): string {
  const base =
    label
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 30) || 'question';
  for (let number = 1; ; number++) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!used.includes(id)) return id;
  }
}

/** The questions with an id for each new one. */
export function withIds(edited: readonly Question[]): Question[] {
  const used = edited.map(({ id }) => id).filter(Boolean);
  return edited.map((question) => {
    if (question.id) return question;
    const id = questionId(question.label, used);
    used.push(id);
    return { ...question, id };
  });
}

/** The questions as `form.set` takes them. */
export const toQuestions = (edited: readonly Question[]) =>
  edited.map(({ id, label, type, required, options }) => {
    const lines = options
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    return {
      id,
      label: label.trim(),
      type,
      required,
      ...(type === 'choice' && { options: lines }),
    };
  });

/**
 * Stored answers that no longer fit the form after it is saved. They stay with their registrations.
 */
export type Orphans =
  | { cause: 'removed'; label: string }
  | { cause: 'type'; label: string }
  | { cause: 'options'; label: string; options: string[] };

/**
 * Which answers the changes leave behind: those of removed questions, of another type, and those
 * that can no longer be chosen.
 */
export function orphansOf(saved: Form['questions'], edited: readonly Question[]): Orphans[] {
  return saved.flatMap((question): Orphans[] => {
    const { label } = question;
    const after = edited.find(({ id }) => id === question.id);
    if (!after) return [{ cause: 'removed', label }];
    if (after.type !== question.type) return [{ cause: 'type', label }];
    const unchanged = toQuestions([after])[0]?.options ?? [];
    const options = (question.options ?? []).filter((option) => !unchanged.includes(option));
    return options.length > 0 ? [{ cause: 'options', label, options }] : [];
  });
}

/** Moves an entry to another place of the list; outside of it nothing changes. */
export function move<T>(list: readonly T[], index: number, target: number): T[] {
  const moved = list[index];
  if (moved === undefined || target < 0 || target >= list.length) return [...list];
  return list.toSpliced(index, 1).toSpliced(target, 0, moved);
}
