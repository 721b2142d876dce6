import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/rare-pages.ts';

export const Route = createFileRoute('/_shell/staff/new')({
  staticData: {
    title: 'New Staff Member',
    notBuilt: 'Staff members are not built yet.',
    needs: 'staff.manage',
    denied: "You don't have permission to add staff members.",
  },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
