import { Trash2 } from 'lucide-react';
import { localDate, localDateTime } from '../../lib/time-zone.ts';
import { IconButton } from '../../ui/button.tsx';
import type { CompanyListProps } from './companies-section.tsx';
import { CompanyStatusPill } from './company-status-pill.tsx';

/** The same as the table, for a narrow screen. */
export function CompanyCards({ rows, own, onDelete }: CompanyListProps) {
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
              {company.staff} staff · {company.jobs} jobs · {company.customers} customers
            </p>
            <p className="text-sm text-ink-3">Registered {localDate(company.created_at)}</p>
            <p className="text-sm text-ink-3">Last active {localDateTime(company.last_active)}</p>
          </div>
          {company.id === own ? (
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
