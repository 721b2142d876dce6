import { useQuery } from '@tanstack/react-query';
import { useDisplayFormat } from '../../lib/time-zone.ts';
import { MAIL_NOT_SET_UP_MESSAGE } from '../../lib/unsent-mail.ts';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { meQueryOptions, useCan, useMe, useProfile } from './company.api.ts';
import { useCancelCompanyDeletion } from './company-deletion.api.ts';

const REFETCH_INTERVAL_MS = 30_000;

/** Replaces every page while the company is closed. Asks regularly whether an admin has opened it again, because no live updates arrive. */
export function ClosedCompanyPage({ onSignOut }: { onSignOut: () => void }) {
  const { formatDisplayDateTime } = useDisplayFormat();
  useQuery({ ...meQueryOptions, refetchInterval: REFETCH_INTERVAL_MS });
  const { company_deletes_at: deletesAt, sends_mail: canMail } = useMe();
  const company = useProfile()?.company_name ?? 'This company';
  const canUndo = useCan('company.delete');
  const undo = useCancelCompanyDeletion();
  useDocumentTitle('Closed');
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 py-8">
      <div className="w-full max-w-md">
        <h1 className="mb-6 text-center text-2xl font-semibold tracking-tight [overflow-wrap:anywhere]">{company} is closed</h1>
        <Card className="space-y-4 p-5 sm:p-6">
          <p className="text-base text-ink-2">
            {deletesAt && `It will be deleted with all its data on ${formatDisplayDateTime(deletesAt)}.`}{' '}
            {canUndo
              ? 'Until then, you can undo the deletion. Nothing is lost.'
              : 'Until then, an admin of your company can undo the deletion.'}
          </p>
          {canUndo && !canMail && <Banner tone="warn">{MAIL_NOT_SET_UP_MESSAGE} Please tell any other admins yourself.</Banner>}
          <div className="flex flex-wrap gap-2">
            {canUndo && (
              <Button tone="primary" busy={undo.isPending} onClick={() => undo.mutate()}>
                {undo.isPending ? 'Undoing…' : 'Undo the deletion'}
              </Button>
            )}
            <Button onClick={onSignOut}>Sign out</Button>
          </div>
        </Card>
      </div>
    </main>
  );
}
