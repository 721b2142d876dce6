import { createFileRoute, redirect } from '@tanstack/react-router';
import { requireSignedIn } from '../../guard.ts';
import { NotBuiltPage } from '../../pages/rare-pages.ts';

export const Route = createFileRoute('/_shell/admin')({
  staticData: { title: 'Admin', notBuilt: 'The administration is not built yet.' },
  beforeLoad: async ({ context, location }) => {
    const me = await requireSignedIn(context.queryClient, location.href);
    if (!me.is_system_admin) throw redirect({ to: '/dashboard', replace: true });
  },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
