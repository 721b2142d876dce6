import { MAIL_STATUSES, type MailStatus } from '@callout/domain/mail/mail';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { uniqueRows } from '../../lib/query-cache.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { mailsQuery, queueQuery } from './admin.api.ts';
import { AdminRead, LoadMore } from './admin-read.tsx';
import { OutboxRow } from './outbox-row.tsx';
import { MAIL_STATUS_LABELS } from './outbox-words.ts';

const STATUS_CHOICES = [{ value: '', label: 'All mails' }, ...MAIL_STATUSES.map((value) => ({ value, label: MAIL_STATUS_LABELS[value] }))];

interface OutboxSectionProps {
  status: MailStatus | undefined;
  onStatus: (status: MailStatus | undefined) => void;
}

/** Every mail: what was sent, what waits, what failed and why. */
export function OutboxSection({ status, onStatus }: OutboxSectionProps) {
  const list = useInfiniteQuery(mailsQuery(status));
  const sendsMail = useQuery(queueQuery).data?.sends_mail ?? true;
  return (
    <>
      {!sendsMail && (
        <Banner tone="warn" className="mb-4">
          No mail server is set up, so mails are kept here instead of being sent. Hand their links on yourself, or set SMTP_URL and restart
          the server: then they can be sent from here.
        </Banner>
      )}
      <Card className={classes('overflow-clip transition-opacity duration-120', list.isPlaceholderData && 'opacity-60')}>
        <div className="flex flex-wrap items-center justify-between gap-3 border-b px-4 py-3 lg:px-5">
          <h2 className="text-lg font-semibold">Outbox</h2>
          <SelectField
            label="Status"
            hideLabel
            choices={STATUS_CHOICES}
            value={status ?? ''}
            onChange={({ target }) => onStatus(MAIL_STATUSES.find((known) => known === target.value))}
            className="w-44"
          />
        </div>
        <AdminRead query={list} what="mails">
          {({ pages }) => {
            const rows = uniqueRows(pages);
            if (rows.length === 0) return <EmptyState icon={Mail} sentence="No mails found" />;
            return (
              <ul aria-label="Mails" className="divide-y">
                {rows.map((mail) => (
                  <OutboxRow key={mail.id} mail={mail} canSend={sendsMail} />
                ))}
              </ul>
            );
          }}
        </AdminRead>
        <LoadMore list={list} />
      </Card>
    </>
  );
}
