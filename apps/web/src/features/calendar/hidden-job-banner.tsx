import type { CalendarStatus } from '@callout/domain/calendar/calendar-event';
import { useCallback, useState } from 'react';
import { UNSENT } from '../../lib/commands/outbox.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { getJobStatusPill } from '../jobs/job-list-filter.ts';
import type { CalendarEventsResponse } from './calendar.api.ts';
import type { useScheduleMutation } from './calendar-schedule.api.ts';

type Schedule = ReturnType<typeof useScheduleMutation>;

interface MovedJob {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

/** Wraps `schedule` to remember the last job that was moved. Booking a job changes its status, so the status filter may hide it. */
export function useLastMovedJob(schedule: Schedule): { schedule: Schedule; movedJob: MovedJob | undefined } {
  const [movedJob, setMovedJob] = useState<MovedJob>();
  const scheduleAndRemember = useCallback<Schedule>(
    async (change) => {
      const result = await schedule(change);
      const { kind, id, title } = change.event;
      const booking = kind === 'job' && result !== UNSENT ? result.booking : undefined;
      setMovedJob(booking && booking.start !== null ? { id, title, status: booking.status } : undefined);
      return result;
    },
    [schedule],
  );
  return { schedule: scheduleAndRemember, movedJob };
}

interface HiddenJobBannerProps {
  movedJob: MovedJob | undefined;
  filter: CalendarStatus | undefined;
  response: CalendarEventsResponse | undefined;
  onClearFilter: () => void;
}

/** Explains why a job that was just moved is no longer in the calendar. */
export function HiddenJobBanner({ movedJob, filter, response, onClearFilter }: HiddenJobBannerProps) {
  if (!movedJob || !filter || movedJob.status === filter || !response || response.jobs.some(({ id }) => id === movedJob.id)) return null;
  const [status, filterLabel] = [movedJob.status, filter].map((each) => getJobStatusPill(each).text);
  return (
    <Banner className="mb-2" actions={<Button onClick={onClearFilter}>Show All Jobs</Button>}>
      {`“${movedJob.title}” is now ${status}, so the ${filterLabel} filter hides it.`}
    </Banner>
  );
}
