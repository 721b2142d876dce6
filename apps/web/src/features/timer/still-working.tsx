import type { ActiveTimer } from '@callout/contract/timer';
import { formatDateTime } from '@callout/domain/time/date-format';
import { likelyEnd, reasonToAsk } from '@callout/domain/timer/still-working';
import { useState } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { useCompanyTimeZone } from '../company/company.api.ts';
import { CorrectEnd } from './correct-end.tsx';
import { serverInstant, useServerSecond } from './server-clock.ts';
import { useTimerStore } from './timer-store.ts';

/** Asks the owner of a timer that was perhaps forgotten, on whichever page they are. What is being corrected stays until they close it. */
export function StillWorking({ timer }: { timer: ActiveTimer | null }) {
  const [correcting, setCorrecting] = useState<{ timer: ActiveTimer; count: number } | null>(null);
  const [isOpen, setOpen] = useState(false);
  const correct = (asked: ActiveTimer) => {
    setCorrecting((last) => ({ timer: asked, count: (last?.count ?? 0) + 1 }));
    setOpen(true);
  };
  return (
    <>
      {timer?.timer_status === 'started' && <Question timer={timer} onCorrect={() => correct(timer)} />}
      {correcting && <Correction key={correcting.count} timer={correcting.timer} open={isOpen} onOpenChange={setOpen} />}
    </>
  );
}

function Question({ timer, onCorrect }: { timer: ActiveTimer; onCorrect: () => void }) {
  const { entry, duration: planned } = timer;
  const zone = useCompanyTimeZone();
  const answer = useTimerStore((store) => store.answer);
  const answered_at = answer?.entryId === entry.id ? answer.at : null;
  const now = useServerSecond(true);
  if (reasonToAsk({ started_at: entry.started_at, planned, answered_at, now }, zone) === null) return null;
  return (
    <div className="mx-auto max-w-7xl px-4 pt-4 lg:px-6 print:hidden">
      <Banner
        tone="warn"
        actions={
          <>
            <Button onClick={() => useTimerStore.setState({ answer: { entryId: entry.id, at: serverInstant() } })}>Yes, keep going</Button>
            <Button onClick={onCorrect}>No, correct the end</Button>
          </>
        }
      >
        <span className="block text-lg font-semibold">Still working?</span>
        {`Your timer on #${timer.job_number} ${timer.title} has been running since ${formatDateTime(entry.started_at, zone)}.`}
      </Banner>
    </div>
  );
}

interface CorrectionProps {
  timer: ActiveTimer;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function Correction({ timer: { entry, duration, job_number, title }, ...dialog }: CorrectionProps) {
  const zone = useCompanyTimeZone();
  const likely = () => likelyEnd({ started_at: entry.started_at, planned: duration, now: serverInstant() }, zone);
  return <CorrectEnd entry={entry} job={`#${job_number} ${title}`} firstEnd={likely} {...dialog} />;
}
