import type { OutboxMail } from '@callout/contract/admin';
import { MAIL_STATUSES, type MailStatus } from '@callout/domain/mail/mail';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { centralMessage } from '../../lib/error-messages.ts';
import { uniqueRows } from '../../lib/query-cache.ts';
import { localDateTime } from '../../lib/time-zone.ts';
import { Banner } from '../../ui/banner.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { DebouncedSearchField } from '../../ui/debounced-search-field.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { mailsQuery, queueQuery } from './admin.api.ts';
import { AdminQueryView } from './admin-query-view.tsx';
import { MAIL_STATUS_LABELS, MailSheet, MailStatusPill } from './mail-sheet.tsx';

/** As in the address. */
export interface OutboxSearch {
  status?: MailStatus | undefined;
  search?: string | undefined;
  /** The id of the mail that is open. */
  mail?: string | undefined;
}

interface OutboxSectionProps {
  outbox: OutboxSearch;
  onOutbox: (outbox: OutboxSearch) => void;
}

const STATUS_CHOICES = [{ value: '', label: 'All emails' }, ...MAIL_STATUSES.map((value) => ({ value, label: MAIL_STATUS_LABELS[value] }))];

const mailTime = (mail: OutboxMail) => localDateTime(mail.sent_at ?? mail.created_at);

const COLUMNS: readonly Column<OutboxMail>[] = [
  { label: 'To', width: 'minmax(0, 1.2fr)', cell: ({ recipient }) => <span className="font-medium text-ink">{recipient}</span> },
  { label: 'Subject', width: 'minmax(0, 1.4fr)', cell: ({ subject }) => subject },
  { label: 'Company', width: 'minmax(0, 1fr)', cell: ({ company }) => company ?? '—' },
  { label: 'Status', width: '11.5rem', cell: (mail) => <MailStatusPill mail={mail} /> },
  { label: 'Time', width: '11rem', className: 'tabular-nums', cell: mailTime },
];

/** Every mail: sent, waiting or failed, and why. */
export function OutboxSection({ outbox, onOutbox }: OutboxSectionProps) {
  const { status, search = '', mail: openId } = outbox;
  const list = useInfiniteQuery(mailsQuery({ status, search }));
  const sendsMail = useQuery(queueQuery).data?.sends_mail ?? true;
  const rows = uniqueRows(list.data?.pages ?? []);
  return (
    <>
      {!sendsMail && (
        <Banner tone="warn" className="mb-4">
          Email isn't set up on this server, so emails are kept here. Share their links yourself, or set SMTP_URL and restart the server to
          send them.
        </Banner>
      )}
      <div className="mb-3 flex gap-2">
        <DebouncedSearchField
          label="Search emails"
          placeholder="Search emails"
          maxLength={200}
          value={search}
          onChange={(term) => onOutbox({ status, search: term || undefined })}
          className="flex-1 lg:max-w-md"
        />
        <SelectField
          label="Status"
          hideLabel
          choices={STATUS_CHOICES}
          value={status ?? ''}
          onChange={({ target }) => onOutbox({ ...outbox, status: MAIL_STATUSES.find((known) => known === target.value) })}
          className="w-32 lg:w-44"
        />
      </div>
      <AdminQueryView
        query={list}
        what="emails"
        inCard
        isEmpty={() => rows.length === 0}
        empty={<EmptyState icon={Mail} sentence="No emails found" hint={search && `Nothing matches “${search}”.`} />}
      >
        {() => (
          <DataTable
            label="Emails"
            rows={rows}
            columns={COLUMNS}
            renderLink={({ id }, props) => <Link from="/admin" to="." search={(current) => ({ ...current, mail: id })} {...props} />}
            renderCard={(mail) => <MailCard mail={mail} />}
            rowHeight={{ desk: 48, phone: 100 }}
            paging={list}
            pagingError={centralMessage(list.error)}
            isOld={list.isPlaceholderData}
          />
        )}
      </AdminQueryView>
      <MailSheet mail={rows.find(({ id }) => id === openId)} canSend={sendsMail} onClose={() => onOutbox({ status, search })} />
    </>
  );
}

function MailCard({ mail }: { mail: OutboxMail }) {
  return (
    <>
      <span className="truncate font-medium">{mail.subject}</span>
      <span className="truncate text-sm text-ink-2">{[`To ${mail.recipient}`, mail.company].filter(Boolean).join(' · ')}</span>
      <span className="mt-1 flex items-center gap-2">
        <MailStatusPill mail={mail} />
        <span className="truncate text-sm text-ink-3">{mailTime(mail)}</span>
      </span>
    </>
  );
}
