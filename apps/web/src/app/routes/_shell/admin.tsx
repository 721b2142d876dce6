import { MAIL_STATUSES } from '@callout/domain/mail/mail';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { AdminPage, type AdminTab } from '../../../features/admin/admin-page.tsx';
import { requireSignedIn } from '../../auth-guard.ts';
import { parseChoiceParam, parseSearchTerm, parseTextParam, toOptionalParams } from '../../search-params.ts';

const TABS: readonly AdminTab[] = ['companies', 'outbox', 'queue', 'profile'];

export const Route = createFileRoute('/_shell/admin')({
  staticData: { title: 'Admin' },
  validateSearch: (search) =>
    toOptionalParams({
      tab: parseChoiceParam(search, 'tab', TABS),
      status: parseChoiceParam(search, 'status', MAIL_STATUSES),
      search: parseSearchTerm(search),
      mail: parseTextParam(search, 'mail'),
    }),
  beforeLoad: async ({ context, location }) => {
    const me = await requireSignedIn(context.queryClient, location.href);
    if (!me.is_system_admin) throw redirect({ to: '/dashboard', replace: true });
  },
  component: AdminRoute,
});

function AdminRoute() {
  const { tab = 'companies', ...outbox } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <AdminPage
      tab={tab}
      onTabChange={(next) => void navigate({ search: next === 'companies' ? {} : { tab: next }, replace: true })}
      outbox={outbox}
      onOutboxChange={(next) => void navigate({ search: toOptionalParams({ tab, ...next }), replace: true })}
    />
  );
}
