import { Pause, Play } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import type { ButtonTone } from '../../ui/button-classes.ts';
import { type TimedJob, useMyRunningEntry, usePauseTimer, useStartTimer } from './timer-commands.api.ts';

interface TimerButtonProps {
  job: TimedJob;
  /** Tone while the signed-in person's timer isn't running. */
  tone: ButtonTone;
  runningTone?: ButtonTone;
  /** Use 'Resume' where the timer may belong to a different job than the page. */
  startLabel?: 'Start' | 'Resume' | undefined;
  className?: string;
}

export function TimerButton({ job, tone, runningTone = tone, startLabel = 'Start', className }: TimerButtonProps) {
  const isRunning = useMyRunningEntry(job) !== undefined;
  const [starting, pausing] = [useStartTimer(job), usePauseTimer(job)];
  const Icon = isRunning ? Pause : Play;
  return (
    <Button
      tone={isRunning ? runningTone : tone}
      busy={starting.isPending || pausing.isPending}
      className={className}
      onClick={() => (isRunning ? pausing.pause() : starting.start())}
    >
      <Icon aria-hidden="true" />
      <span className="@max-[18rem]:sr-only">{isRunning ? 'Pause' : startLabel}</span>
    </Button>
  );
}
