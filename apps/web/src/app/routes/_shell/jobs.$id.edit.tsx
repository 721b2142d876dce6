import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import { BookingClash, tellClash } from '../../../features/calendar/booking-clash.tsx';
import { EditJobPage } from '../../../features/jobs/edit-job-page.tsx';

export const Route = createFileRoute('/_shell/jobs/$id/edit')({
  staticData: { title: 'Edit Job', focusesField: true, needs: 'jobs.edit' },
  component: EditJobRoute,
});

function EditJobRoute() {
  const { id } = Route.useParams();
  const navigate = Route.useNavigate();
  const router = useRouter();
  const queryClient = useQueryClient();
  const fromPage = useLocation({ select: ({ state }) => state.fromPage === true });
  // The page is the step before: going back to it leaves no second entry of it behind.
  const leave = () => (fromPage ? router.history.back() : void navigate({ to: '/jobs/$id', params: { id }, replace: true }));
  return (
    <EditJobPage key={id} id={id} onLeave={leave} ClashHint={BookingClash} onBooked={(booking) => void tellClash(queryClient, booking)} />
  );
}
