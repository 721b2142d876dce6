import type { Attachment } from '@callout/contract/comments';
import { formatFileSize } from '@callout/domain/files/file-size';
import { isImageMimeType } from '@callout/domain/files/file-types';
import { Download, FileText, Image } from 'lucide-react';
import { classNames } from '../../ui/class-names.ts';
import { RetryingImage } from './retrying-image.tsx';

export function FileIcon({ type, className = 'size-5' }: { type: string; className?: string }) {
  const Icon = isImageMimeType(type) ? Image : FileText;
  return <Icon aria-hidden="true" data-icon={isImageMimeType(type) ? 'image' : 'document'} className={classNames('shrink-0', className)} />;
}

interface ThumbnailProps {
  file: Pick<Attachment, 'id' | 'file_name' | 'thumbnail_url' | 'file_type'>;
  onOpen: (id: string) => void;
  className: string;
}

/** Thumbnail that opens the full-size image. `className` must set its size, so that the layout doesn't shift when the image loads. */
export function Thumbnail({ file: { id, file_name, thumbnail_url, file_type }, onOpen, className }: ThumbnailProps) {
  const icon = <FileIcon type={file_type} className="size-6" />;
  return (
    <button
      type="button"
      aria-label={`Open ${file_name}`}
      title={file_name}
      onClick={() => onOpen(id)}
      className={classNames(
        'flex items-center justify-center overflow-clip rounded-control bg-sunken text-ink-3 ring-1 ring-line ring-inset transition-opacity duration-120 hover:opacity-85',
        className,
      )}
    >
      {thumbnail_url === null ? icon : <RetryingImage src={thumbnail_url} fallback={icon} className="size-full object-cover" />}
    </button>
  );
}

/** Download link for files that can't be shown as an image. */
export function DownloadLink({ file: { file_name, file_size, file_type, url } }: { file: Attachment }) {
  return (
    <a
      href={url}
      download={file_name}
      className="flex min-h-11 max-w-full items-center gap-2 rounded-control px-3 py-1.5 text-base ring-1 ring-line ring-inset hover:bg-sunken lg:min-h-9"
    >
      <FileIcon type={file_type} className="size-4.5 text-ink-3" />
      <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{file_name}</span>
      <span className="shrink-0 text-sm text-ink-3 tabular-nums">{formatFileSize(file_size)}</span>
      <Download aria-label="Download" className="size-4 shrink-0 text-ink-3" />
    </a>
  );
}
