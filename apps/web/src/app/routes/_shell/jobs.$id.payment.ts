import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/not-built-page.tsx';

export const Route = createFileRoute('/_shell/jobs/$id/payment')({
  staticData: { title: 'Payment', notBuilt: 'Payments are not built yet.', needs: 'payments.manage' },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
