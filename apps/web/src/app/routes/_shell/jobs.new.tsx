import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { BookingClash, tellClash } from '../../../features/calendar/booking-clash.tsx';
import { NewJobPage } from '../../../features/jobs/new-job-page.tsx';
import { present, textParam } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/jobs/new')({
  staticData: { title: 'New Job', focusesField: true, needs: 'jobs.work' },
  validateSearch: (search) => present({ customer: textParam(search, 'customer') }),
  component: NewJobRoute,
});

function NewJobRoute() {
  const queryClient = useQueryClient();
  return (
    <NewJobPage
      customerId={Route.useSearch().customer}
      ClashHint={BookingClash}
      onBooked={(booking) => void tellClash(queryClient, booking)}
    />
  );
}
