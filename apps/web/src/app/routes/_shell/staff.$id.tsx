import { createFileRoute } from '@tanstack/react-router';
import { StaffPage } from '../../../features/staff/staff-page.tsx';

export const Route = createFileRoute('/_shell/staff/$id')({
  staticData: { title: 'Staff Member', needs: 'staff.manage' },
  component: StaffRoute,
});

function StaffRoute() {
  const { id } = Route.useParams();
  return <StaffPage key={id} id={id} />;
}
