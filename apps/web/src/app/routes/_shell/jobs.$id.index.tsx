import { createFileRoute } from '@tanstack/react-router';
import { JobPage } from '../../../features/jobs/job-page.tsx';

export const Route = createFileRoute('/_shell/jobs/$id/')({
  staticData: { title: 'Job' },
  component: JobRoute,
});

function JobRoute() {
  const { id } = Route.useParams();
  return <JobPage key={id} id={id} />;
}
