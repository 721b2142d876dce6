import { MAIL_STATUSES } from '@callout/domain/mail/mail';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { AdminPage } from '../../../features/admin/admin-page.tsx';
import { ADMIN_TABS } from '../../../features/admin/admin-tab.ts';
import { requireSignedIn } from '../../guard.ts';
import { choiceParam, present } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/admin')({
  staticData: { title: 'Admin' },
  validateSearch: (search) =>
    present({ tab: choiceParam(search, 'tab', ADMIN_TABS), status: choiceParam(search, 'status', MAIL_STATUSES) }),
  beforeLoad: async ({ context, location }) => {
    const me = await requireSignedIn(context.queryClient, location.href);
    if (!me.is_system_admin) throw redirect({ to: '/dashboard', replace: true });
  },
  component: AdminRoute,
});

function AdminRoute() {
  const { tab = 'companies', status } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <AdminPage
      tab={tab}
      onTab={(next) => void navigate({ search: next === 'companies' ? {} : { tab: next }, replace: true })}
      mailStatus={status}
      onMailStatus={(next) => void navigate({ search: present({ tab, status: next }), replace: true })}
    />
  );
}
