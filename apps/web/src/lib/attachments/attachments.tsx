import type { Attachment } from '@callout/contract/comments';
import { fileSizeText } from '@callout/domain/files/file-size';
import { isImage } from '@callout/domain/files/file-types';
import { Download, FileText, Image } from 'lucide-react';
import { useState } from 'react';
import { classes } from '../../ui/classes.ts';

export function FileIcon({ type, className = 'size-5' }: { type: string; className?: string }) {
  const Icon = isImage(type) ? Image : FileText;
  return <Icon aria-hidden="true" data-icon={isImage(type) ? 'image' : 'document'} className={classes('shrink-0', className)} />;
}

interface ThumbnailProps {
  file: Pick<Attachment, 'id' | 'file_name' | 'thumbnail_url' | 'file_type'>;
  onOpen: (id: string) => void;
  className: string;
}

/** Opens the picture in full size. Its box has its size before the picture is there. */
export function Thumbnail({ file: { id, file_name, thumbnail_url, file_type }, onOpen, className }: ThumbnailProps) {
  const [broken, setBroken] = useState<string>();
  const shows = thumbnail_url !== null && thumbnail_url !== broken;
  return (
    <button
      type="button"
      aria-label={`Open ${file_name}`}
      title={file_name}
      onClick={() => onOpen(id)}
      className={classes(
        'flex items-center justify-center overflow-clip rounded-control bg-sunken text-ink-3 ring-1 ring-line ring-inset transition-opacity duration-120 hover:opacity-85',
        className,
      )}
    >
      {shows ? (
        <img
          src={thumbnail_url}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setBroken(thumbnail_url)}
          className="size-full object-cover"
        />
      ) : (
        <FileIcon type={file_type} className="size-6" />
      )}
    </button>
  );
}

/** What is not shown as a picture is downloaded. */
export function DownloadLink({ file: { file_name, file_size, file_type, url } }: { file: Attachment }) {
  return (
    <a
      href={url}
      download={file_name}
      className="flex min-h-11 max-w-full items-center gap-2 rounded-control px-3 py-1.5 text-base ring-1 ring-line ring-inset hover:bg-sunken lg:min-h-9"
    >
      <FileIcon type={file_type} className="size-4.5 text-ink-3" />
      <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{file_name}</span>
      <span className="shrink-0 text-sm text-ink-3 tabular-nums">{fileSizeText(file_size)}</span>
      <Download aria-label="Download" className="size-4 shrink-0 text-ink-3" />
    </a>
  );
}
