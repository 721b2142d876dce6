import type { CustomerAttachment } from '@callout/contract/comments';
import { formatFileSize } from '@callout/domain/files/file-size';
import { ATTACHMENT_TYPES, findFileType, isImageMimeType } from '@callout/domain/files/file-types';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BriefcaseBusiness, Paperclip } from 'lucide-react';
import { useState } from 'react';
import { FileIcon } from '../../lib/attachments/attachments.tsx';
import { LazyPhotoViewer } from '../../lib/attachments/lazy-photo-viewer.tsx';
import { RetryingImage } from '../../lib/attachments/retrying-image.tsx';
import { DisplayDate } from '../../lib/display-date.tsx';
import { getReadErrorMessage } from '../../lib/error-messages.ts';
import { getUniqueRows } from '../../lib/query-cache.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { getIconButtonClasses } from '../../ui/button-classes.ts';
import { DataTable, type TableColumn } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { customerAttachmentsQueryOptions } from './comments-attachments.api.ts';
import { AttachmentsSkeleton } from './customer-attachments.tsx';

/** Formats the type by the file's content, since an image may have another image type's extension. */
function formatFileType({ file_name, file_type }: CustomerAttachment): string {
  const accepted = ATTACHMENT_TYPES.filter(({ mime }) => mime === file_type);
  return (findFileType(file_name, accepted) ?? accepted[0])?.extension.toUpperCase() ?? '';
}

const COLUMNS: readonly TableColumn<CustomerAttachment>[] = [
  { label: 'File', width: 'minmax(0, 4fr)', cell: (file) => <FileName file={file} /> },
  { label: 'Type', width: '4rem', cell: formatFileType },
  { label: 'Size', width: '5.5rem', className: 'tabular-nums', cell: ({ file_size }) => formatFileSize(file_size) },
  { label: 'Job', width: 'minmax(0, 3fr)', cell: ({ job }) => <JobSummary job={job} /> },
  { label: 'Comment', width: 'minmax(0, 4fr)', cell: ({ comment }) => <CommentSummary comment={comment} /> },
  {
    label: 'Added',
    width: '7rem',
    wideOnly: true,
    className: 'tabular-nums',
    cell: ({ comment }) => <DisplayDate instant={comment.created_at} />,
  },
];

export function AttachmentsTable({ customerId }: { customerId: string }) {
  const list = useInfiniteQuery(customerAttachmentsQueryOptions(customerId));
  const [openPhotoId, setOpenPhotoId] = useState<string | null>(null);
  const files = getUniqueRows(list.data?.pages ?? []);
  const photos = files.filter(({ file_type }) => isImageMimeType(file_type));
  return (
    <>
      <QueryView
        query={list}
        isInCard
        skeleton={<AttachmentsSkeleton />}
        isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
        empty={<EmptyState icon={Paperclip} message="No attachments found" hint="Files added to this customer's jobs appear here." />}
      >
        {() => (
          <DataTable
            label="Attachments"
            rows={files}
            columns={COLUMNS}
            renderLink={(file, { children, ...props }) =>
              isImageMimeType(file.file_type) ? (
                <button {...props} type="button" className={`${props.className} text-left`} onClick={() => setOpenPhotoId(file.id)}>
                  {children}
                </button>
              ) : (
                <a {...props} href={`${file.url}?download`} download={file.file_name}>
                  {children}
                </a>
              )
            }
            renderCard={(file) => <AttachmentCard file={file} />}
            renderDesktopActions={(file) => <JobLink file={file} />}
            renderPhoneActions={(file) => <JobLink file={file} />}
            rowHeight={{ desktop: 56, phone: 96 }}
            paging={list}
            pagingError={getReadErrorMessage(list.error)}
          />
        )}
      </QueryView>
      <LazyPhotoViewer
        photos={photos.map((photo) => ({ ...photo, author: photo.comment.author.name, created_at: photo.comment.created_at }))}
        openPhotoId={openPhotoId}
        onOpenPhoto={setOpenPhotoId}
      />
    </>
  );
}

function JobLink({ file: { job } }: { file: CustomerAttachment }) {
  const label = `Open job ${job.title}`;
  return (
    <Link to="/jobs/$id" params={{ id: job.id }} aria-label={label} title={label} className={`${getIconButtonClasses()} mr-2 lg:mr-4`}>
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
          <RetryingImage src={thumbnail_url} fallback={<FileIcon type={file_type} />} className="size-full object-cover" />
        )}
      </span>
      <span data-name="" className="truncate font-medium text-ink">
        {file_name}
      </span>
    </span>
  );
}

function JobSummary({ job }: Pick<CustomerAttachment, 'job'>) {
  return (
    <span className="block min-w-0">
      <span className="block truncate">{job.title}</span>
      <span className="block text-sm text-ink-3 tabular-nums">#{job.job_number}</span>
    </span>
  );
}

function CommentSummary({ comment: { author, content } }: Pick<CustomerAttachment, 'comment'>) {
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
        {[formatFileType(file), formatFileSize(file.file_size)].filter(Boolean).join(' · ')} · <DisplayDate instant={comment.created_at} />
      </span>
      <span className="block truncate text-sm text-ink-2">
        {job.title} · {comment.author.name}
        {comment.content && `: ${comment.content}`}
      </span>
    </span>
  );
}
