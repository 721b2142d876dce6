import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { BookingClashHint, notifyOfClash } from '../../../features/calendar/booking-clash.tsx';
import { NewJobPage } from '../../../features/jobs/new-job-page.tsx';
import { parseDateParam, parseIdParam, parseTextParam, parseTimeParam, toOptionalParams } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/jobs/new')({
  staticData: { title: 'New Job', focusesFirstField: true, needs: 'jobs.work' },
  validateSearch: (search) =>
    toOptionalParams({
      customer: parseTextParam(search, 'customer'),
      date: parseDateParam(search, 'date'),
      time: parseTimeParam(search, 'time'),
      staff: parseIdParam(search, 'staff'),
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
      ClashHint={BookingClashHint}
      onBooked={(booked) => void notifyOfClash(queryClient, booked)}
    />
  );
}
