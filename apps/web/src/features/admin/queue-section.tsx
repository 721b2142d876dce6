import type { QueueHealth } from '@callout/contract/admin';
import { pluralize } from '@callout/domain/text/count-format';
import { useQuery } from '@tanstack/react-query';
import { useDisplayFormat } from '../../lib/time-zone.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { queueHealthQueryOptions } from './admin.api.ts';
import { AdminQueryView } from './admin-query-view.tsx';

/** Shows the health of the background queue, which sends emails and deletes files. */
export function QueueSection() {
  const queue = useQuery(queueHealthQueryOptions);
  return (
    <Card className="overflow-clip">
      <h2 className="border-b px-4 py-3 text-lg font-semibold lg:px-5">Queue</h2>
      <AdminQueryView query={queue} resourceLabel="the queue">
        {(health) => <QueueHealthSummary health={health} now={queue.dataUpdatedAt} />}
      </AdminQueryView>
    </Card>
  );
}

function QueueHealthSummary({ health, now }: { health: QueueHealth; now: number }) {
  const { tone, text } = getQueueStatus(health, now);
  const facts = [
    { label: 'Waiting', value: health.waiting },
    { label: 'Running', value: health.running },
    { label: 'Failed', value: health.failed },
    { label: 'Mail server', value: health.sends_mail ? 'Set up' : 'Not set up' },
  ];
  return (
    <>
      <div className="p-4 lg:p-5">
        <Banner tone={tone}>{text}</Banner>
        <dl className="mt-4 grid grid-cols-2 gap-4 sm:grid-cols-4">
          {facts.map(({ label, value }) => (
            <div key={label}>
              <dt className="text-sm text-ink-3">{label}</dt>
              <dd className="text-xl font-semibold tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      {health.errors.length > 0 && <RecentErrors errors={health.errors} />}
    </>
  );
}

function RecentErrors({ errors }: Pick<QueueHealth, 'errors'>) {
  const { formatDisplayDateTime } = useDisplayFormat();
  return (
    <div className="border-t">
      <h3 className="px-4 pt-3 text-base font-semibold lg:px-5">Recent errors</h3>
      <ul aria-label="Recent errors" className="divide-y">
        {errors.map((job) => (
          <li key={job.id} className="space-y-1 px-4 py-3 text-base lg:px-5">
            <p className="font-medium">{TASK_LABELS[job.task] ?? job.task}</p>
            <p className="text-sm text-danger-ink [overflow-wrap:anywhere]">{job.last_error}</p>
            <p className="text-sm text-ink-3">
              Attempt {job.attempts} of {job.max_attempts} failed ·{' '}
              {job.next_attempt ? `next attempt ${formatDisplayDateTime(job.next_attempt)}` : 'no more retries'}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}

const OVERDUE_AFTER_MS = 5 * 60_000;

const TASK_LABELS: Record<string, string> = {
  'send-mail': 'Send an email',
  'remove-file': 'Remove a file',
  'report-wrong-totals': 'Stored totals differ from what they were calculated from',
  'unlink-deleted-record': 'Finish a deletion',
  'reprice-jobs': 'Reprice jobs after a change of GST or currency',
};

interface QueueStatus {
  readonly tone: 'info' | 'warn' | 'danger';
  readonly text: string;
}

/** Summarizes the queue's health in one sentence and picks the tone in which to show it. */
export function getQueueStatus(health: QueueHealth, now: number): QueueStatus {
  if (health.failed > 0) {
    return { tone: 'danger', text: `${pluralize(health.failed, 'task')} failed and won't be retried. See the errors below.` };
  }
  const waitingMs = health.oldest_waiting === null ? 0 : now - Date.parse(health.oldest_waiting);
  if (waitingMs > OVERDUE_AFTER_MS) {
    return {
      tone: 'warn',
      text: `${pluralize(health.waiting, 'task')} waiting, the oldest for ${Math.floor(waitingMs / 60_000)} minutes.`,
    };
  }
  if (health.waiting + health.running > 0)
    return { tone: 'info', text: `Queue healthy, ${pluralize(health.waiting + health.running, 'task')} in progress.` };
  return { tone: 'info', text: 'Queue healthy, nothing waiting.' };
}
