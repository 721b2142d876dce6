import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import { BookingClashHint, notifyOfClash } from '../../../features/calendar/booking-clash.tsx';
import { useCancelBilledJob } from '../../../features/invoices/use-cancel-billed-job.tsx';
import { EditJobPage } from '../../../features/jobs/edit-job-page.tsx';

export const Route = createFileRoute('/_shell/jobs/$id/edit')({
  staticData: { title: 'Edit Job', focusesFirstField: true, needs: 'jobs.edit' },
  component: EditJobRoute,
});

function EditJobRoute() {
  const { id } = Route.useParams();
  const navigate = Route.useNavigate();
  const router = useRouter();
  const queryClient = useQueryClient();
  const fromPage = useLocation({ select: ({ state }) => state.fromPage === true });
  // If the job's page is the previous history entry, goes back instead of adding the same page again.
  const leave = () => (fromPage ? router.history.back() : void navigate({ to: '/jobs/$id', params: { id }, replace: true }));
  const { cancelBilledJob, dialog } = useCancelBilledJob();
  return (
    <>
      <EditJobPage
        key={id}
        id={id}
        onLeave={leave}
        ClashHint={BookingClashHint}
        onBooked={(booking) => void notifyOfClash(queryClient, booking)}
        cancelBilledJob={cancelBilledJob}
      />
      {dialog}
    </>
  );
}
