import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { BookingClash, tellClash } from '../../../features/calendar/booking-clash.tsx';
import { NewJobPage } from '../../../features/jobs/new-job-page.tsx';
import { dateParam, idParam, present, textParam, timeParam } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/jobs/new')({
  staticData: { title: 'New Job', focusesField: true, needs: 'jobs.work' },
  validateSearch: (search) =>
    present({
      customer: textParam(search, 'customer'),
      date: dateParam(search, 'date'),
      time: timeParam(search, 'time'),
      staff: idParam(search, 'staff'),
    }),
  component: NewJobRoute,
});

function NewJobRoute() {
  const queryClient = useQueryClient();
  const { customer, ...booking } = Route.useSearch();
  return (
    <NewJobPage
      customerId={customer}
      booking={booking}
      ClashHint={BookingClash}
      onBooked={(booked) => void tellClash(queryClient, booked)}
    />
  );
}
