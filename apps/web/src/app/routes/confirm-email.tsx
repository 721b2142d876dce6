import { createFileRoute } from '@tanstack/react-router';
import { ConfirmEmailPage } from '../../features/auth/confirm-email-page.tsx';
import { present, textParam } from '../search-params.ts';

export const Route = createFileRoute('/confirm-email')({
  staticData: { title: 'Confirm your new email' },
  validateSearch: (search) => present({ token: textParam(search, 'token') }),
  component: ConfirmEmailRoute,
});

function ConfirmEmailRoute() {
  const { token = '' } = Route.useSearch();
  return <ConfirmEmailPage token={token} />;
}
