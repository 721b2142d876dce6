import { Trash2 } from 'lucide-react';
import { localDate, localDateTime } from '../../lib/time-zone.ts';
import { IconButton } from '../../ui/button.tsx';
import type { CompanyListProps } from './companies-section.tsx';
import { CompanyStatusPill } from './company-status-pill.tsx';

const HEAD = 'h-10 px-3 text-left text-sm font-medium text-ink-3 whitespace-nowrap first:pl-5 last:pr-5';
const CELL = 'px-3 py-2 align-middle whitespace-nowrap first:pl-5 last:pr-5';
const NUMBER = `${CELL} text-right tabular-nums`;

export function CompanyTable({ rows, own, onDelete }: CompanyListProps) {
  return (
    // By keyboard, too, a narrow screen can be moved along.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label="Registered Companies">
      <table className="w-full border-collapse text-base">
        <thead className="border-b">
          <tr>
            <th className={HEAD}>Company</th>
            <th className={`${HEAD} text-right`}>Staff</th>
            <th className={`${HEAD} text-right`}>Jobs</th>
            <th className={`${HEAD} text-right`}>Customers</th>
            <th className={HEAD}>Registered</th>
            <th className={HEAD}>Last active</th>
            <th className={HEAD}>Status</th>
            <th className={HEAD}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((company) => (
            <tr key={company.id} className="h-13">
              <th scope="row" className="w-full min-w-48 px-3 py-2 pl-5 text-left align-middle font-normal">
                <span className="block font-medium [overflow-wrap:anywhere]">{company.label}</span>
                {company.email && company.email !== company.label && (
                  <span className="block text-sm text-ink-3 [overflow-wrap:anywhere]">{company.email}</span>
                )}
              </th>
              <td className={NUMBER}>{company.staff}</td>
              <td className={NUMBER}>{company.jobs}</td>
              <td className={NUMBER}>{company.customers}</td>
              <td className={CELL}>{localDate(company.created_at)}</td>
              <td className={CELL}>{localDateTime(company.last_active)}</td>
              <td className={CELL}>
                <CompanyStatusPill status={company.status} />
              </td>
              <td className={`${CELL} text-right`}>
                {company.id === own ? (
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
