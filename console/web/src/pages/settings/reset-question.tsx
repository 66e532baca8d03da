import { useState } from 'react';
import { useSessions } from '../../api/event-data.ts';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { settingsText as text } from '../../text/settings.ts';

interface Question {
  sessions: number;
  answer: (isConfirmed: boolean) => void;
}

/**
 * Asks whether the sessions of the agenda may be removed. `ask` reads them first and resolves to
 * true at once if there are none.
 * Errors: ApiError.
 */
export function useResetQuestion() {
  const { refetch } = useSessions({ isEnabled: false });
  const [question, setQuestion] = useState<Question | null>(null);
  const confirmReset = async (): Promise<boolean> => {
    const { data } = await refetch({ throwOnError: true });
    const sessions = data?.sessions.length ?? 0;
    if (sessions === 0) return true;
    const isConfirmed = await new Promise<boolean>((answer) => setQuestion({ sessions, answer }));
    setQuestion(null);
    return isConfirmed;
  };
  return { confirmReset: confirmReset, question };
}

export function ResetQuestion({ question: { sessions, answer } }: { question: Question }) {
  return (
    <DangerDialog
      isOpen
      onClose={() => answer(false)}
      title={text.resetTitle}
      consequence={text.resetText(sessions)}
      confirmLabel={text.resetConfirm(sessions)}
      onConfirm={() => answer(true)}
      isRunning={false}
      error={null}
    />
  );
}
