import type { OutboxMail } from '@callout/contract/admin';
import { MAIL_STATUSES, type MailStatus } from '@callout/domain/mail/mail';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { DisplayDateTime } from '../../lib/display-date.tsx';
import { getReadErrorMessage } from '../../lib/error-messages.ts';
import { getUniqueRows } from '../../lib/query-cache.ts';
import { MAIL_NOT_SET_UP_MESSAGE } from '../../lib/unsent-mail.ts';
import { Banner } from '../../ui/banner.tsx';
import { DataTable, type TableColumn } from '../../ui/data-table.tsx';
import { DebouncedSearchField } from '../../ui/debounced-search-field.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { outboxMailsQueryOptions, queueHealthQueryOptions } from './admin.api.ts';
import { AdminQueryView } from './admin-query-view.tsx';
import { MAIL_STATUS_LABELS, MailSheet, MailStatusPill } from './mail-sheet.tsx';

/** URL search parameters of the outbox. */
export interface OutboxSearch {
  status?: MailStatus | undefined;
  search?: string | undefined;
  /** Id of the email that is open in the sheet. */
  mail?: string | undefined;
}

interface OutboxSectionProps {
  outbox: OutboxSearch;
  onOutboxChange: (outbox: OutboxSearch) => void;
}

const STATUS_CHOICES = [{ value: '', label: 'All emails' }, ...MAIL_STATUSES.map((value) => ({ value, label: MAIL_STATUS_LABELS[value] }))];

const getMailTime = (mail: OutboxMail) => mail.sent_at ?? mail.created_at;

const COLUMNS: readonly TableColumn<OutboxMail>[] = [
  { label: 'To', width: 'minmax(0, 1.2fr)', cell: ({ recipient }) => <span className="font-medium text-ink">{recipient}</span> },
  { label: 'Subject', width: 'minmax(0, 1.4fr)', cell: ({ subject }) => subject },
  { label: 'Company', width: 'minmax(0, 1fr)', cell: ({ company }) => company ?? '—' },
  { label: 'Status', width: '11.5rem', cell: (mail) => <MailStatusPill mail={mail} /> },
  { label: 'Time', width: '11rem', className: 'tabular-nums', cell: (mail) => <DisplayDateTime instant={getMailTime(mail)} /> },
];

export function OutboxSection({ outbox, onOutboxChange }: OutboxSectionProps) {
  const { status, search = '', mail: openId } = outbox;
  const list = useInfiniteQuery(outboxMailsQueryOptions({ status, search }));
  const canSendMail = useQuery(queueHealthQueryOptions).data?.sends_mail ?? true;
  const rows = getUniqueRows(list.data?.pages ?? []);
  return (
    <>
      {!canSendMail && (
        <Banner tone="warn" className="mb-4">
          {MAIL_NOT_SET_UP_MESSAGE} Emails are kept here: share their links yourself, or set SMTP_URL and restart the server to send them.
        </Banner>
      )}
      <div className="mb-3 flex gap-2">
        <DebouncedSearchField
          label="Search emails"
          placeholder="Search emails"
          maxLength={200}
          value={search}
          onChange={(term) => onOutboxChange({ status, search: term || undefined })}
          className="flex-1 lg:max-w-md"
        />
        <SelectField
          label="Status"
          hideLabel
          choices={STATUS_CHOICES}
          value={status ?? ''}
          onChange={({ target }) => onOutboxChange({ ...outbox, status: MAIL_STATUSES.find((known) => known === target.value) })}
          className="w-32 lg:w-44"
        />
      </div>
      <AdminQueryView
        query={list}
        resourceLabel="emails"
        isInCard
        isEmpty={() => rows.length === 0}
        empty={<EmptyState icon={Mail} message="No emails found" hint={search && `Nothing matches “${search}”.`} />}
      >
        {() => (
          <DataTable
            label="Emails"
            rows={rows}
            columns={COLUMNS}
            renderLink={({ id }, props) => <Link from="/admin" to="." search={(current) => ({ ...current, mail: id })} {...props} />}
            renderCard={(mail) => <MailCard mail={mail} />}
            rowHeight={{ desktop: 48, phone: 100 }}
            paging={list}
            pagingError={getReadErrorMessage(list.error)}
            isOutdated={list.isPlaceholderData}
          />
        )}
      </AdminQueryView>
      <MailSheet mail={rows.find(({ id }) => id === openId)} canSend={canSendMail} onClose={() => onOutboxChange({ status, search })} />
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
        <span className="truncate text-sm text-ink-3">
          <DisplayDateTime instant={getMailTime(mail)} />
        </span>
      </span>
    </>
  );
}
