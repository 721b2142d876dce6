import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/rare-pages.ts';

export const Route = createFileRoute('/_shell/staff/')({
  staticData: { title: 'Staff', notBuilt: 'Staff members are not built yet.', needs: 'staff.manage' },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
