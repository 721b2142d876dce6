import type { Job, JobTimer } from '@callout/contract/jobs';
import { formatMoney } from '@callout/domain/money/money-format';
import { calculateTimeCost, hasTimePrice } from '@callout/domain/timer/timer';

interface TimedWork {
  /** Undefined in responses that were stored before the timer knew the type of its job. */
  readonly job_type?: Job['job_type'] | undefined;
  readonly timer: Pick<JobTimer, 'hourly_rate'>;
  readonly currency: Job['currency'];
  readonly hourly_rate?: Job['hourly_rate'];
  readonly hourly_rate_confirmed?: boolean;
}

/** Formats what the time costs the customer, or says why it costs nothing. */
export function formatTimerCost(work: TimedWork, seconds: number): string {
  const { job_type, timer, currency } = work;
  if (job_type === 'fixed') return 'Fixed price';
  return hasTimePrice(work) ? formatMoney(calculateTimeCost(seconds, timer.hourly_rate), currency) : 'No hourly rate yet';
}
