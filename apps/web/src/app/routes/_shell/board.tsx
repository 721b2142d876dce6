import { createFileRoute } from '@tanstack/react-router';
import { BoardPage } from '../../../features/board/board-page.tsx';
import { useCancelBilledJob } from '../../../features/invoices/use-cancel-billed-job.tsx';
import { useDisplayTimeZone } from '../../../lib/time-zone.ts';
import { parseIdParam, parseSearchTerm, toOptionalParams } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/board')({
  staticData: { title: 'Job Board' },
  validateSearch: (search) =>
    toOptionalParams({
      search: parseSearchTerm(search),
      staff_id: parseIdParam(search, 'staff_id'),
      category_id: parseIdParam(search, 'category_id'),
    }),
  component: BoardRoute,
});

/** Loads the code that formats clashes, which is needed only when a move causes a clash. */
const loadClashes = () => import('../../../features/calendar/calendar-format.ts');

function BoardRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const { cancelBilledJob, dialog } = useCancelBilledJob();
  const zone = useDisplayTimeZone();
  return (
    <>
      <BoardPage
        search={search}
        onSearchChange={(next) => void navigate({ search: toOptionalParams({ ...next }), replace: true })}
        formatClash={async (clash, count, start) => (await loadClashes()).formatClash(clash, count, start, zone)}
        cancelBilledJob={cancelBilledJob}
      />
      {dialog}
    </>
  );
}
