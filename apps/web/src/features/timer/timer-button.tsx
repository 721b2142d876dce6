import { Pause, Play } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import type { ButtonTone } from '../../ui/button-style.ts';
import { serverInstant } from './server-clock.ts';
import { type TimedJob, useOwnEntry, usePauseTimer, useStartTimer, useTimerIsChanging } from './timer-commands.api.ts';

interface TimerButtonProps {
  job: TimedJob;
  /** While the person's timer does not run; while it runs, `runningTone`. */
  tone: ButtonTone;
  runningTone?: ButtonTone;
  /** 'Resume' where the timer may belong to another job than the page shows. */
  startLabel?: 'Start' | 'Resume' | undefined;
  className?: string;
}

/** Starts or pauses the person's own timer on a job. */
export function TimerButton({ job, tone, runningTone = tone, startLabel = 'Start', className }: TimerButtonProps) {
  const isRunning = useOwnEntry(job) !== undefined;
  const [start, pause] = [useStartTimer(job), usePauseTimer(job)];
  const Icon = isRunning ? Pause : Play;
  return (
    <Button
      tone={isRunning ? runningTone : tone}
      busy={useTimerIsChanging()}
      className={className}
      onClick={() => (isRunning ? pause.mutate(serverInstant()) : start.mutate())}
    >
      <Icon aria-hidden="true" />
      <span className="@max-[18rem]:sr-only">{isRunning ? 'Pause' : startLabel}</span>
    </Button>
  );
}
