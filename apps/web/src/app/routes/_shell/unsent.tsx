import { createFileRoute } from '@tanstack/react-router';
import { UnsentPage } from '../../unsent/unsent-page.tsx';

export const Route = createFileRoute('/_shell/unsent')({
  staticData: { title: 'Unsent changes' },
  component: UnsentPage,
});
