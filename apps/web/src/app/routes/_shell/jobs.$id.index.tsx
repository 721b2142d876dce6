import { createFileRoute } from '@tanstack/react-router';
import { ScheduleJobButton } from '../../../features/calendar/schedule-job-button.tsx';
import { JobComments } from '../../../features/comments/job-comments.tsx';
import { useCancelBilledJob } from '../../../features/invoices/use-cancel-billed-job.tsx';
import { JobPage } from '../../../features/jobs/job-page.tsx';
import { JobTimer } from '../../../features/timer/job-timer.tsx';

export const Route = createFileRoute('/_shell/jobs/$id/')({
  staticData: { title: 'Job' },
  component: JobRoute,
});

function JobRoute() {
  const { id } = Route.useParams();
  const { cancelBilledJob, dialog } = useCancelBilledJob();
  return (
    <>
      <JobPage
        key={id}
        id={id}
        Timer={JobTimer}
        ScheduleButton={ScheduleJobButton}
        Comments={JobComments}
        cancelBilledJob={cancelBilledJob}
      />
      {dialog}
    </>
  );
}
