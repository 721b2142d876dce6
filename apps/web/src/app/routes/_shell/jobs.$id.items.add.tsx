import { createFileRoute } from '@tanstack/react-router';
import { AddItemPage } from '../../../features/jobs/add-item-page.tsx';

export const Route = createFileRoute('/_shell/jobs/$id/items/add')({
  staticData: { title: 'Add Item', focusesFirstField: true, needs: 'jobs.work' },
  component: AddItemRoute,
});

function AddItemRoute() {
  const { id } = Route.useParams();
  const navigate = Route.useNavigate();
  return <AddItemPage key={id} id={id} onLeave={() => void navigate({ to: '/jobs/$id', params: { id }, replace: true })} />;
}
