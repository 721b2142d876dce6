import type { Job } from '@callout/contract/jobs';
import { Link } from '@tanstack/react-router';
import { SUMMARY_LINK_CLASSES } from '../../ui/summary-field.tsx';
import { useCan } from '../company/company.api.ts';

/** Says that neither the assigned person, the job nor the company has an hourly rate, and links to where it can be set. */
export function MissingRateNote({ job }: { job: Pick<Job, 'id'> }) {
  const canEdit = useCan('jobs.edit');
  return (
    <span className="text-base font-normal text-warn-ink">
      {'No hourly rate yet. '}
      {canEdit ? (
        <Link to="/jobs/$id/edit" params={{ id: job.id }} state={{ fromPage: true }} className={SUMMARY_LINK_CLASSES}>
          Set rate
        </Link>
      ) : (
        'An admin or manager can set it.'
      )}
    </span>
  );
}
