import type { ActiveTimer } from '@callout/contract/timer';
import { estimateTimerEnd, findStillWorkingReason } from '@callout/domain/timer/still-working';
import { useState } from 'react';
import { useDisplayFormat } from '../../lib/time-zone.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { useCompanyTimeZone } from '../company/company.api.ts';
import { CorrectEndDialog } from './correct-end-dialog.tsx';
import { getServerInstant, useServerInstant } from './server-clock.ts';
import { useTimerStore } from './timer-store.ts';

/** Asks on every page about a timer that may have been left running. The open dialog keeps its entry even if the timer changes. */
export function StillWorkingPrompt({ timer }: { timer: ActiveTimer | null }) {
  const [correcting, setCorrecting] = useState<{ timer: ActiveTimer; count: number } | null>(null);
  const [isOpen, setOpen] = useState(false);
  const openCorrection = (forgotten: ActiveTimer) => {
    setCorrecting((last) => ({ timer: forgotten, count: (last?.count ?? 0) + 1 }));
    setOpen(true);
  };
  return (
    <>
      {timer?.timer_status === 'started' && <StillWorkingBanner timer={timer} onCorrect={() => openCorrection(timer)} />}
      {correcting && <EstimatedEndDialog key={correcting.count} timer={correcting.timer} open={isOpen} onOpenChange={setOpen} />}
    </>
  );
}

function StillWorkingBanner({ timer, onCorrect }: { timer: ActiveTimer; onCorrect: () => void }) {
  const { formatDisplayDateTime } = useDisplayFormat();
  const { entry, duration: planned } = timer;
  const zone = useCompanyTimeZone();
  const answer = useTimerStore((store) => store.answer);
  const answered_at = answer?.entryId === entry.id ? answer.at : null;
  const now = useServerInstant(true);
  if (findStillWorkingReason({ started_at: entry.started_at, planned, answered_at, now }, zone) === null) return null;
  return (
    <div className="mx-auto max-w-7xl px-4 pt-4 lg:px-6 print:hidden">
      <Banner
        tone="warn"
        actions={
          <>
            <Button onClick={() => useTimerStore.setState({ answer: { entryId: entry.id, at: getServerInstant() } })}>
              Yes, keep going
            </Button>
            <Button onClick={onCorrect}>No, correct the end time</Button>
          </>
        }
      >
        <span className="block text-lg font-semibold">Still working?</span>
        {`Your timer on #${timer.job_number} ${timer.title} has been running since ${formatDisplayDateTime(entry.started_at)}.`}
      </Banner>
    </div>
  );
}

interface EstimatedEndDialogProps {
  timer: ActiveTimer;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function EstimatedEndDialog({ timer: { entry, duration, job_number, title }, ...dialog }: EstimatedEndDialogProps) {
  const zone = useCompanyTimeZone();
  const estimateEnd = () => estimateTimerEnd({ started_at: entry.started_at, planned: duration, now: getServerInstant() }, zone);
  return <CorrectEndDialog entry={entry} job={`#${job_number} ${title}`} getInitialEnd={estimateEnd} {...dialog} />;
}
