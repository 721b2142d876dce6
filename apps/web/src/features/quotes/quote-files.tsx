import { WRONG_FILE_TYPE_ERROR } from '@callout/domain/files/attachment';
import { formatFileSize } from '@callout/domain/files/file-size';
import { ATTACHMENT_TYPES, buildAcceptAttribute } from '@callout/domain/files/file-types';
import { ArrowDown, ArrowUp, Paperclip, Trash2, Upload } from 'lucide-react';
import { useRef } from 'react';
import { FileIcon } from '../../lib/attachments/attachments.tsx';
import { PendingFiles, RejectedFiles } from '../../lib/attachments/pending-files.tsx';
import { RetryingImage } from '../../lib/attachments/retrying-image.tsx';
import { type FileDropState, useFileDrop } from '../../lib/attachments/use-file-drop.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FileInput } from '../../ui/file-button.tsx';
import type { QuoteFileRow } from './quote-form.ts';
import type { FileUploads } from './use-file-uploads.ts';

const MIME_TYPES = ATTACHMENT_TYPES.map(({ mime }) => mime);

const DROP_ZONE_CLASSES: Record<FileDropState, string> = {
  idle: 'outline-line-strong',
  dragging: 'outline-line-strong',
  accepted: 'bg-accent-soft outline-accent',
  rejected: 'bg-danger-soft outline-danger',
};

const DROP_ZONE_HINTS: Record<FileDropState, string> = {
  idle: 'PNG, JPG, GIF, PDF, DOC or DOCX, up to 25 MB each',
  dragging: 'Drop files here',
  accepted: 'Drop to add files',
  rejected: WRONG_FILE_TYPE_ERROR,
};

export interface QuoteFilesProps {
  files: readonly QuoteFileRow[];
  uploads: FileUploads;
  saving: boolean;
  onChange: (files: QuoteFileRow[]) => void;
}

export function QuoteFiles({ files, uploads, saving, onChange }: QuoteFilesProps) {
  const input = useRef<HTMLInputElement>(null);
  const { state, zone } = useFileDrop(MIME_TYPES, uploads.addFiles);
  const move = (index: number, by: 1 | -1) => {
    const file = files[index];
    if (file) onChange(files.toSpliced(index, 1).toSpliced(index + by, 0, file));
  };
  return (
    <Card className="max-w-3xl p-4 lg:p-5">
      <div
        {...zone}
        data-drop={state}
        className={classNames(
          'flex flex-col items-center gap-3 rounded-control px-4 py-6 text-center outline-2 -outline-offset-2 outline-dashed transition-colors duration-120',
          DROP_ZONE_CLASSES[state],
        )}
      >
        <Upload aria-hidden="true" className="size-6 text-ink-3" />
        <p className={classNames('text-base', state === 'rejected' ? 'text-danger-ink' : 'text-ink-2')}>
          <span className="max-md:hidden">Drag files here, or choose them. </span>
          <span className="block text-sm text-ink-3">{DROP_ZONE_HINTS[state]}</span>
        </p>
        <FileInput
          ref={input}
          multiple
          accept={buildAcceptAttribute(ATTACHMENT_TYPES)}
          aria-label="Choose files"
          onFiles={uploads.addFiles}
        />
        <Button disabled={saving} onClick={() => input.current?.click()}>
          <Paperclip aria-hidden="true" />
          Add files
        </Button>
      </div>
      <RejectedFiles rejected={uploads.rejected} onDismiss={uploads.dismissRejected} />
      {files.length > 0 && (
        <ul aria-label="Attachments" className="mt-4 divide-y rounded-control ring-1 ring-line ring-inset">
          {files.map((file, index) => (
            <li key={file.id} className="flex items-center gap-2 py-1 pr-1 pl-2">
              <FilePreview file={file} />
              <a href={file.url} target="_blank" rel="noreferrer" className="min-w-0 flex-1 truncate text-base font-medium hover:underline">
                {file.file_name}
              </a>
              <span className="text-sm text-ink-3 tabular-nums max-sm:hidden">{formatFileSize(Number(file.file_size))}</span>
              <IconButton label={`Move ${file.file_name} up`} disabled={index === 0} onClick={() => move(index, -1)}>
                <ArrowUp aria-hidden="true" />
              </IconButton>
              <IconButton label={`Move ${file.file_name} down`} disabled={index === files.length - 1} onClick={() => move(index, 1)}>
                <ArrowDown aria-hidden="true" />
              </IconButton>
              <IconButton label={`Remove ${file.file_name}`} onClick={() => onChange(files.filter(({ id }) => id !== file.id))}>
                <Trash2 aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {files.length === 0 && uploads.files.length === 0 && <p className="mt-4 text-base text-ink-3">No attachments yet</p>}
      <PendingFiles files={uploads.files} actions={uploads} />
    </Card>
  );
}

function FilePreview({ file: { thumbnail_url: url, file_type: type } }: { file: QuoteFileRow }) {
  const icon = <FileIcon type={type} />;
  return (
    <span className="flex size-9 shrink-0 items-center justify-center overflow-clip rounded bg-sunken text-ink-3">
      {url === '' ? icon : <RetryingImage src={url} fallback={icon} className="size-full object-cover" />}
    </span>
  );
}
