import type { QueueHealth } from '@callout/contract/admin';
import { useQuery } from '@tanstack/react-query';
import { localDateTime } from '../../lib/time-zone.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { queueQuery } from './admin.api.ts';
import { AdminRead } from './admin-read.tsx';
import { queueVerdict, taskWords } from './queue-words.ts';

/** Work that is done after the answer: mails, files. */
export function QueueSection() {
  const queue = useQuery(queueQuery);
  return (
    <Card className="overflow-clip">
      <h2 className="border-b px-4 py-3 text-lg font-semibold lg:px-5">Queue</h2>
      <AdminRead query={queue} what="the queue">
        {(health) => <Health health={health} now={queue.dataUpdatedAt} />}
      </AdminRead>
    </Card>
  );
}

function Health({ health, now }: { health: QueueHealth; now: number }) {
  const { tone, says } = queueVerdict(health, now);
  const facts = [
    { label: 'Waiting', value: health.waiting },
    { label: 'Running', value: health.running },
    { label: 'Failed', value: health.given_up },
    { label: 'Mail server', value: health.sends_mail ? 'Set up' : 'Not set up' },
  ];
  return (
    <>
      <div className="p-4 lg:p-5">
        <Banner tone={tone}>{says}</Banner>
        <dl className="mt-4 grid grid-cols-2 gap-4 sm:grid-cols-4">
          {facts.map(({ label, value }) => (
            <div key={label}>
              <dt className="text-sm text-ink-3">{label}</dt>
              <dd className="text-xl font-semibold tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      {health.troubles.length > 0 && <Troubles troubles={health.troubles} />}
    </>
  );
}

function Troubles({ troubles }: Pick<QueueHealth, 'troubles'>) {
  return (
    <div className="border-t">
      <h3 className="px-4 pt-3 text-base font-semibold lg:px-5">Recent errors</h3>
      <ul aria-label="Recent errors" className="divide-y">
        {troubles.map((trouble) => (
          <li key={trouble.id} className="space-y-1 px-4 py-3 text-base lg:px-5">
            <p className="font-medium">{taskWords(trouble.task)}</p>
            <p className="text-sm text-danger-ink [overflow-wrap:anywhere]">{trouble.last_error}</p>
            <p className="text-sm text-ink-3">
              Tried {trouble.attempts} of {trouble.max_attempts} times ·{' '}
              {trouble.next_try ? `next attempt ${localDateTime(trouble.next_try)}` : 'no more retries'}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
