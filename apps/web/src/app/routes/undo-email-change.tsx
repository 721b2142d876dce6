import { createFileRoute } from '@tanstack/react-router';
import { UndoEmailChangePage } from '../../features/auth/undo-email-change-page.tsx';
import { parseTextParam, toOptionalParams } from '../search-params.ts';
import { handleAccountSwitch } from '../session.ts';

export const Route = createFileRoute('/undo-email-change')({
  staticData: { title: 'Undo the email change' },
  validateSearch: (search) => toOptionalParams({ token: parseTextParam(search, 'token') }),
  component: UndoEmailChangeRoute,
});

function UndoEmailChangeRoute() {
  const { token = '' } = Route.useSearch();
  const { queryClient } = Route.useRouteContext();
  return <UndoEmailChangePage token={token} onRestored={() => handleAccountSwitch(queryClient)} />;
}
