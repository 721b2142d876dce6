import type { CustomerAttachment } from '@callout/contract/comments';
import { fileSizeText } from '@callout/domain/files/file-size';
import { ATTACHMENT_TYPES, fileTypeOf, isImage } from '@callout/domain/files/file-types';
import { formatDate } from '@callout/domain/time/date-format';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BriefcaseBusiness, Paperclip } from 'lucide-react';
import { useState } from 'react';
import { FileIcon } from '../../lib/attachments/attachments.tsx';
import { Photos } from '../../lib/attachments/photos.tsx';
import { centralMessage } from '../../lib/error-messages.ts';
import { uniqueRows } from '../../lib/query-cache.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { companyTimeZone } from '../../lib/time-zone.ts';
import { iconButtonStyle } from '../../ui/button-style.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { customerAttachmentsOptions } from './comments-customer.api.ts';
import { AttachmentsSkeleton } from './customer-attachments.tsx';

const typeOf = ({ file_name }: CustomerAttachment) => fileTypeOf(file_name, ATTACHMENT_TYPES)?.extension.toUpperCase() ?? '';
const addedOn = ({ comment }: CustomerAttachment) => formatDate(comment.created_at, companyTimeZone());

const COLUMNS: readonly Column<CustomerAttachment>[] = [
  { label: 'File', width: 'minmax(0, 4fr)', cell: (file) => <FileName file={file} /> },
  { label: 'Type', width: '4rem', cell: typeOf },
  { label: 'Size', width: '5.5rem', className: 'tabular-nums', cell: ({ file_size }) => fileSizeText(file_size) },
  { label: 'Job', width: 'minmax(0, 3fr)', cell: ({ job }) => <JobName job={job} /> },
  { label: 'Comment', width: 'minmax(0, 4fr)', cell: ({ comment }) => <CommentLine comment={comment} /> },
  { label: 'Added', width: '7rem', wideOnly: true, className: 'tabular-nums', cell: addedOn },
];

/** The files of all jobs of a customer: a picture opens, anything else is downloaded. */
export function AttachmentsTable({ customerId }: { customerId: string }) {
  const list = useInfiniteQuery(customerAttachmentsOptions(customerId));
  const [shownId, setShownId] = useState<string | null>(null);
  const files = uniqueRows(list.data?.pages ?? []);
  const photos = files.filter(({ file_type }) => isImage(file_type));
  return (
    <>
      <QueryView
        query={list}
        inCard
        skeleton={<AttachmentsSkeleton />}
        isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
        empty={<EmptyState icon={Paperclip} sentence="No attachments found" hint="Files added to this customer's jobs show up here." />}
      >
        {() => (
          <DataTable
            label="Attachments"
            rows={files}
            columns={COLUMNS}
            renderLink={(file, { children, ...props }) =>
              isImage(file.file_type) ? (
                <button {...props} type="button" className={`${props.className} text-left`} onClick={() => setShownId(file.id)}>
                  {children}
                </button>
              ) : (
                <a {...props} href={file.url} download={file.file_name}>
                  {children}
                </a>
              )
            }
            renderCard={(file) => <AttachmentCard file={file} />}
            renderDeskAside={(file) => <JobLink file={file} />}
            renderPhoneAside={(file) => <JobLink file={file} />}
            rowHeight={{ desk: 56, phone: 96 }}
            paging={list}
            pagingError={centralMessage(list.error)}
          />
        )}
      </QueryView>
      <Photos
        photos={photos.map((photo) => ({ ...photo, author: photo.comment.author.name, created_at: photo.comment.created_at }))}
        shownId={shownId}
        onShow={setShownId}
      />
    </>
  );
}

function JobLink({ file: { job } }: { file: CustomerAttachment }) {
  const label = `Open job ${job.title}`;
  return (
    <Link to="/jobs/$id" params={{ id: job.id }} aria-label={label} title={label} className={`${iconButtonStyle()} mr-2 lg:mr-4`}>
      <BriefcaseBusiness aria-hidden="true" />
    </Link>
  );
}

function FileName({ file: { file_name, file_type, thumbnail_url } }: { file: CustomerAttachment }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <span className="flex size-9 shrink-0 items-center justify-center overflow-clip rounded bg-sunken text-ink-3">
        {thumbnail_url === null ? (
          <FileIcon type={file_type} />
        ) : (
          <img src={thumbnail_url} alt="" loading="lazy" decoding="async" className="size-full object-cover" />
        )}
      </span>
      <span data-name="" className="truncate font-medium text-ink">
        {file_name}
      </span>
    </span>
  );
}

function JobName({ job }: Pick<CustomerAttachment, 'job'>) {
  return (
    <span className="block min-w-0">
      <span className="block truncate">{job.title}</span>
      <span className="block text-sm text-ink-3 tabular-nums">#{job.job_number}</span>
    </span>
  );
}

function CommentLine({ comment: { author, content } }: Pick<CustomerAttachment, 'comment'>) {
  return (
    <span className="block min-w-0">
      <span className="block truncate text-ink">{author.name}</span>
      {content && <span className="block truncate text-sm text-ink-3">{content}</span>}
    </span>
  );
}

function AttachmentCard({ file }: { file: CustomerAttachment }) {
  const { job, comment } = file;
  return (
    <span className="block min-w-0">
      <FileName file={file} />
      <span className="mt-0.5 block truncate text-sm text-ink-2">
        {[typeOf(file), fileSizeText(file.file_size), addedOn(file)].filter(Boolean).join(' · ')}
      </span>
      <span className="block truncate text-sm text-ink-2">
        {job.title} · {comment.author.name}
        {comment.content && `: ${comment.content}`}
      </span>
    </span>
  );
}
