import type { RegisteredCompany } from '@callout/contract/admin';
import { formatCappedCount, pluralize } from '@callout/domain/text/count-format';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Building2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { getUniqueRows } from '../../lib/query-cache.ts';
import { useDisplayFormat } from '../../lib/time-zone.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DebouncedSearchField } from '../../ui/debounced-search-field.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { TABLET_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useProfile } from '../company/company.api.ts';
import { registeredCompaniesQueryOptions } from './admin.api.ts';
import { AdminQueryView } from './admin-query-view.tsx';
import { DeleteCompanyDialog } from './delete-company-dialog.tsx';

interface CompanyListProps {
  rows: readonly RegisteredCompany[];
  /** Id of the system administrator's own company, which has no Delete button. */
  myCompanyId: string | undefined;
  onDelete: (company: RegisteredCompany) => void;
}

export function CompaniesSection() {
  const [search, setSearch] = useState('');
  const list = useInfiniteQuery(registeredCompaniesQueryOptions(search));
  const isWide = useMediaQuery(TABLET_UP);
  const myCompanyId = useProfile()?.company_id;
  const [companyToDelete, setCompanyToDelete] = useState<RegisteredCompany | null>(null);
  const List = isWide ? CompanyTable : CompanyCards;
  return (
    <Card className="overflow-clip">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-4 py-3 lg:px-5">
        <h2 className="text-lg font-semibold">Registered Companies</h2>
        <DebouncedSearchField
          label="Search companies"
          placeholder="Search companies"
          maxLength={200}
          value={search}
          onChange={setSearch}
          className="min-w-48 flex-1 lg:ml-auto lg:max-w-xs"
        />
      </div>
      <AdminQueryView query={list} resourceLabel="companies">
        {({ pages }) => {
          const rows = getUniqueRows(pages);
          if (rows.length === 0)
            return (
              <EmptyState
                icon={Building2}
                message="No companies found"
                hint={search ? `Nothing matches “${search}”.` : 'A company appears here when someone signs up.'}
              />
            );
          return <List rows={rows} myCompanyId={myCompanyId} onDelete={setCompanyToDelete} />;
        }}
      </AdminQueryView>
      {list.hasNextPage && (
        <div className="border-t p-3 text-center">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {list.isFetchingNextPage ? 'Loading…' : 'Load more'}
          </Button>
        </div>
      )}
      <DeleteCompanyDialog company={companyToDelete} onClose={() => setCompanyToDelete(null)} />
    </Card>
  );
}

const HEADER_CELL = 'h-10 px-2 xl:px-3 text-left text-sm font-medium text-ink-3 whitespace-nowrap first:pl-5 last:pr-5';
const CELL = 'px-2 py-2 xl:px-3 align-middle whitespace-nowrap first:pl-5 last:pr-5';
const DATE_CELL = `${CELL} max-xl:whitespace-normal`;
const NUMBER_CELL = `${CELL} text-right tabular-nums`;

function CompanyTable({ rows, myCompanyId, onDelete }: CompanyListProps) {
  const { formatDisplayDate, formatDisplayDateTime } = useDisplayFormat();
  return (
    // The table is focusable, so that keyboard users can scroll it sideways on a narrow screen.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="relative overflow-x-auto" tabIndex={0} role="group" aria-label="Registered Companies">
      <table className="w-full border-collapse text-base">
        <thead className="border-b">
          <tr>
            <th className={HEADER_CELL}>Company</th>
            <th className={`${HEADER_CELL} text-right`}>Staff</th>
            <th className={`${HEADER_CELL} text-right`}>Jobs</th>
            <th className={`${HEADER_CELL} text-right`}>Customers</th>
            <th className={HEADER_CELL}>Registered</th>
            <th className={HEADER_CELL}>Last active</th>
            <th className={HEADER_CELL}>Status</th>
            <th className={HEADER_CELL}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((company) => (
            <tr key={company.id} className="h-13">
              <th scope="row" className="w-full min-w-40 py-2 pr-2 pl-5 text-left xl:min-w-48 xl:pr-3 align-middle font-normal">
                <span className="block font-medium [overflow-wrap:anywhere]">{company.label}</span>
                {company.email && company.email !== company.label && (
                  <span className="block text-sm text-ink-3 [overflow-wrap:anywhere]">{company.email}</span>
                )}
              </th>
              <td className={NUMBER_CELL}>{company.staff}</td>
              <td className={NUMBER_CELL}>{formatCappedCount(company.jobs)}</td>
              <td className={NUMBER_CELL}>{formatCappedCount(company.customers)}</td>
              <td className={DATE_CELL}>{formatDisplayDate(company.created_at)}</td>
              <td className={DATE_CELL}>{formatDisplayDateTime(company.last_active)}</td>
              <td className={CELL}>
                <CompanyStatusPill status={company.status} />
              </td>
              <td className={`${CELL} text-right`}>
                {company.id === myCompanyId ? (
                  <span className="text-sm text-ink-3">Yours</span>
                ) : (
                  <IconButton label={`Delete ${company.label}`} onClick={() => onDelete(company)}>
                    <Trash2 aria-hidden="true" />
                  </IconButton>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Shows the companies as cards on phones, because the table is too wide for a phone. */
function CompanyCards({ rows, myCompanyId, onDelete }: CompanyListProps) {
  const { formatDisplayDate, formatDisplayDateTime } = useDisplayFormat();
  return (
    <ul aria-label="Registered Companies" className="divide-y">
      {rows.map((company) => (
        <li key={company.id} className="flex gap-2 py-3 pr-2 pl-4">
          <div className="min-w-0 flex-1 space-y-1">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{company.label}</span>
              <CompanyStatusPill status={company.status} />
            </p>
            {company.email && company.email !== company.label && <p className="truncate text-sm text-ink-3">{company.email}</p>}
            <p className="text-sm text-ink-2 tabular-nums">
              {pluralize(company.staff, 'staff member')} · {formatCappedCount(company.jobs)} {company.jobs === 1 ? 'job' : 'jobs'} ·{' '}
              {formatCappedCount(company.customers)} {company.customers === 1 ? 'customer' : 'customers'}
            </p>
            <p className="text-sm text-ink-3">Registered {formatDisplayDate(company.created_at)}</p>
            <p className="text-sm text-ink-3">Last active {formatDisplayDateTime(company.last_active)}</p>
          </div>
          {company.id === myCompanyId ? (
            <span className="pr-2 text-sm text-ink-3">Yours</span>
          ) : (
            <IconButton label={`Delete ${company.label}`} onClick={() => onDelete(company)}>
              <Trash2 aria-hidden="true" />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  );
}

function CompanyStatusPill({ status }: Pick<RegisteredCompany, 'status'>) {
  return <StatusPill tone={status === 'Active' ? 'ok' : 'warn'} text={status} />;
}
