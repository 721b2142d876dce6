import { createFileRoute } from '@tanstack/react-router';
import { DebtorsPage } from '../../../features/invoices/debtors-page.tsx';

export const Route = createFileRoute('/_shell/invoices/debtors')({
  staticData: { title: 'Who owes us', needs: 'payments.manage' },
  component: DebtorsPage,
});
