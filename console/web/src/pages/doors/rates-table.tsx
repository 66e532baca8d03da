import { useState } from 'react';
import type { CheckinRates, DoorCount } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { NumbersTable } from '../../components/chart/numbers-table.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatCount } from '../../format/count.ts';
import { formatTime } from '../../format/time.ts';
import { doorsText as text } from '../../text/doors.ts';
import { doorName, minuteEnds, rateOf } from './doors.rules.ts';

/** The numbers of the lines of the doors as a table behind a button, the last minute first. */
export function RatesTable({ doors, rates }: { doors: readonly DoorCount[]; rates: CheckinRates }) {
  const { timezone } = useEvent();
  const [isVisible, setVisible] = useState(false);
  const busy = doors.filter(({ subjectId }) => rateOf(rates, subjectId).some((count) => count > 0));
  if (busy.length === 0) return null;
  return (
    <>
      <div className="mt-2 flex justify-end">
        <Button kind="quiet" aria-pressed={isVisible} onClick={() => setVisible(!isVisible)}>
          {isVisible ? text.hideRates : text.showRates}
        </Button>
      </div>
      {isVisible && (
        <Section title={text.rates} className="mt-2">
          <div className="h-80">
            <NumbersTable
              rows={minuteEnds(rates.until).map((at) => formatTime(at, timezone))}
              rowsLabel={text.minute}
              series={busy.map((door) => ({
                id: door.subjectId,
                label: doorName(door),
                values: rateOf(rates, door.subjectId).toReversed(),
              }))}
              format={formatCount}
            />
          </div>
        </Section>
      )}
    </>
  );
}
