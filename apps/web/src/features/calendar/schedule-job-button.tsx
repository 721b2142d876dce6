import type { Job } from '@callout/contract/jobs';
import { isActiveStatus } from '@callout/domain/jobs/job';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { CalendarClock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { useCan } from '../company/company.api.ts';
import { staffNamesQueryOptions } from '../staff/staff.api.ts';

/** Books a job from its own page, moves it to another time, or removes its date. */
export function ScheduleJobButton({ job }: { job: Job }) {
  const canWork = useCan('jobs.work');
  const navigate = useNavigate();
  // Read once: the page of the copied job is still shown while the copy's page loads, and must not use up the copy's state.
  const [isNewCopy] = useState(useLocation({ select: ({ state }) => state.isNewCopy === true }));
  const [isOpen, setOpen] = useState(canWork && isNewCopy && job.booking_date === null);
  useEffect(() => {
    // The dialog opens once, not again after a reload or on Back.
    if (isNewCopy) void navigate({ to: '.', search: true, replace: true, state: ({ isNewCopy: _opened, ...state }) => state });
  }, [isNewCopy, navigate]);
  const dialog = useLazyModule(
    () => import('./schedule-job-dialog.tsx'),
    isOpen,
    () => setOpen(false),
  );
  const canSchedule = canWork && isActiveStatus(job.status);
  const isScheduled = job.booking_date !== null;
  // Loaded before the dialog opens, because the dialog suggests the only person of a company for an unassigned job.
  useQuery({ ...staffNamesQueryOptions, enabled: canSchedule && job.staff === null });
  return (
    <>
      {canSchedule && (
        <Button className="max-sm:px-3.5" busy={isOpen && !dialog} onClick={() => setOpen(true)}>
          <CalendarClock aria-hidden="true" />
          <span className={isScheduled ? 'max-sm:sr-only' : undefined}>{isScheduled ? 'Reschedule' : 'Schedule'}</span>
        </Button>
      )}
      {dialog && <dialog.ScheduleJobDialog job={job} open={isOpen} onClose={() => setOpen(false)} />}
    </>
  );
}
