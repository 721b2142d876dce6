import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/rare-pages.ts';

export const Route = createFileRoute('/_shell/jobs/$id/payment')({
  staticData: { title: 'Payment', notBuilt: 'Payments are not built yet.', needs: 'payments.manage' },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
