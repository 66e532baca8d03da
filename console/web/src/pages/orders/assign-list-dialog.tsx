import { useState } from 'react';
import { type JobResult, useBulkRun } from '../../api/bulk-run.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { FoundOrder } from '../../api/records.ts';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { messageOf } from '../../components/ui/states.tsx';
import { UnsavedGuard } from '../../components/ui/unsaved-guard.tsx';
import { common } from '../../text/common.ts';
import { openSeatsText as text } from '../../text/open-seats.ts';
import { assignPath } from './assign-dialog.tsx';
import { lineProblem } from './line-problem.ts';
import {
  type Assignment,
  assignmentsOf,
  openItemsOf,
  openSeatsOf,
  type PlannedLine,
  planLines,
} from './open-seats.rules.ts';

/**
 * Gives the open seats of an order to the people of a pasted list. It says line by line what will
 * happen, then what has happened; the lines that failed stay to be corrected.
 */
export function AssignListDialog({ order, onClose }: { order: FoundOrder; onClose: () => void }) {
  const path = useEventPath();
  const [list, setList] = useState('');
  const open = openSeatsOf(order);
  const items = openItemsOf(open);
  const [chosenItem, setChosenItem] = useState<number | null>(null);
  const item = items.find((each) => each.itemIndex === chosenItem) ?? items[0];
  const itemIndex = item?.itemIndex;
  const seats = open.filter((seat) => seat.itemIndex === itemIndex);
  const plan = planLines(list, seats);
  const assignments = assignmentsOf(plan);
  const { current, run, stop } = useBulkRun<Assignment, FoundOrder>();
  const isRunning = current?.isRunning ?? false;
  const start = (chosen: readonly Assignment[]) => {
    setList('');
    void run(
      chosen.map((assignment) => ({
        subject: assignment,
        write: {
          method: 'POST',
          path: assignPath(path, order, assignment.seat),
          body: { email: assignment.email, name: assignment.name },
        },
      })),
    );
  };
  const again = (current?.results ?? []).flatMap(({ subject, error }) =>
    error ? subject.text : [],
  );
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={text.listTitle(order.orderNumber)}
      description={text.listHelp(seats.length)}
      footer={
        <>
          {isRunning && <Button onClick={stop}>{text.stop}</Button>}
          {again.length > 0 && !isRunning && list === '' && (
            <Button onClick={() => setList(again.join('\n'))}>{text.correct(again.length)}</Button>
          )}
          <Button onClick={onClose} disabled={isRunning}>
            {current ? common.done : common.cancel}
          </Button>
          <Button
            kind="primary"
            isBusy={isRunning}
            disabled={assignments === null}
            onClick={() => assignments && start(assignments)}
          >
            {text.assignMany(assignments?.length ?? 0)}
          </Button>
        </>
      }
    >
      <UnsavedGuard
        hasUnsaved={() => list.trim() !== ''}
        isRunning={isRunning}
        hasFailed={again.length > 0}
      />
      <div className="flex flex-col gap-4">
        {items.length > 1 && (
          <label className="flex flex-col gap-1 text-sm font-medium">
            {text.forItem}
            <select
              className="control w-full max-w-96"
              disabled={isRunning}
              value={itemIndex}
              onChange={(event) => setChosenItem(Number(event.target.value))}
            >
              {items.map((each) => (
                <option key={each.itemIndex} value={each.itemIndex}>
                  {text.openOf(each.name, each.count)}
                </option>
              ))}
            </select>
          </label>
        )}
        <label className="flex flex-col gap-1 text-sm font-medium">
          {text.people}
          <textarea
            className="control w-full font-mono"
            rows={6}
            dir="auto"
            spellCheck={false}
            disabled={isRunning}
            aria-describedby="people-help"
            placeholder={text.example}
            value={list}
            onChange={(event) => setList(event.target.value)}
          />
          <span id="people-help" className="font-normal text-muted">
            {text.peopleHelp}
          </span>
        </label>
        {plan.length > 0 && <Plan plan={plan} isReady={assignments !== null} />}
        {current && <Results results={current.results} total={current.total} />}
      </div>
    </Dialog>
  );
}

/** What each line will do. */
function Plan({ plan, isReady }: { plan: readonly PlannedLine[]; isReady: boolean }) {
  return (
    <section aria-label={text.plan}>
      <h3 className="font-medium">{text.plan}</h3>
      {!isReady && (
        <p role="status" className="text-red">
          {text.fixFirst}
        </p>
      )}
      <ol className="mt-1 flex flex-col gap-1">
        {plan.map((line) => (
          <li key={line.line} className="flex flex-wrap justify-between gap-x-3">
            <span dir="auto" className="wrap-anywhere">
              {line.outcome === 'assign' ? text.person(line) : text.line(line.line, line.text)}
            </span>
            <span
              className={
                line.outcome === 'assign' || line.outcome === 'header' ? 'text-muted' : 'text-red'
              }
            >
              {sentenceOf(line)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function sentenceOf(line: PlannedLine): string {
  switch (line.outcome) {
    case 'assign':
      return text.gets(line.seat.place, line.seat.itemName);
    case 'header':
      return text.header;
    default:
      return lineProblem(line);
  }
}

/** How far the list is, and what became of each line. */
function Results({
  results,
  total,
}: {
  results: readonly JobResult<Assignment, FoundOrder>[];
  total: number;
}) {
  return (
    <section aria-label={text.result}>
      <h3 className="font-medium">{text.result}</h3>
      <p role="status">{text.progress(results.length, total)}</p>
      <progress
        aria-label={text.result}
        className="my-2 w-full"
        max={total}
        value={results.length}
      />
      <ol className="flex flex-col gap-1">
        {results.map(({ subject, error }) => (
          <li key={subject.seat.id} className="flex flex-wrap justify-between gap-x-3">
            <span dir="auto" className="wrap-anywhere">
              {text.person(subject)}
            </span>
            <span className={error ? 'text-red' : 'text-green'}>
              {error ? messageOf(error) : text.has(subject.seat.place, subject.seat.itemName)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
