import { createFileRoute } from '@tanstack/react-router';
import { UndoEmailChangePage } from '../../features/auth/undo-email-change-page.tsx';
import { present, textParam } from '../search-params.ts';
import { switchAccount } from '../session.ts';

export const Route = createFileRoute('/undo-email-change')({
  staticData: { title: 'Undo the email change' },
  validateSearch: (search) => present({ token: textParam(search, 'token') }),
  component: UndoEmailChangeRoute,
});

function UndoEmailChangeRoute() {
  const { token = '' } = Route.useSearch();
  const { queryClient } = Route.useRouteContext();
  return <UndoEmailChangePage token={token} onRestored={() => switchAccount(queryClient)} />;
}
