import { createFileRoute } from '@tanstack/react-router';
import { BookingClash } from '../../../features/calendar/booking-clash.tsx';
import { NewJobPage } from '../../../features/jobs/new-job-page.tsx';
import { present, textParam } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/jobs/new')({
  staticData: { title: 'New Job', focusesField: true, needs: 'jobs.work' },
  validateSearch: (search) => present({ customer: textParam(search, 'customer') }),
  component: NewJobRoute,
});

function NewJobRoute() {
  return <NewJobPage customerId={Route.useSearch().customer} ClashHint={BookingClash} />;
}
