import { createFileRoute } from '@tanstack/react-router';
import { StaffListPage } from '../../../features/staff/staff-list-page.tsx';

export const Route = createFileRoute('/_shell/staff/')({
  staticData: { title: 'Staff', restoresScroll: true, needs: 'staff.manage' },
  component: StaffListPage,
});
