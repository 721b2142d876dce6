import { formatFileSize } from '@callout/domain/files/file-size';
import ExternalLink from 'lucide-react/icons/external-link';
import FileText from 'lucide-react/icons/file-text';
import Image from 'lucide-react/icons/image';

interface PublicAttachment {
  readonly id: string;
  readonly file_name: string;
  readonly file_size: number;
  readonly file_type: string;
  readonly url: string;
  readonly thumbnail_url: string | null;
}

interface DocumentAttachmentsProps {
  title: string;
  attachments: readonly PublicAttachment[];
}

export function DocumentAttachments({ title, attachments }: DocumentAttachmentsProps) {
  return (
    <section aria-labelledby="attachments">
      <h2 id="attachments" className="text-lg font-semibold">
        {title}
      </h2>
      <ul className="mt-2 divide-y overflow-clip rounded-card bg-surface shadow-card">
        {attachments.map(({ id, file_name, file_size, file_type, url, thumbnail_url }) => (
          <li key={id}>
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className="flex min-h-16 flex-wrap items-center gap-3 px-[16px] py-2 -outline-offset-2 hover:bg-sunken"
            >
              <span className="flex size-12 shrink-0 items-center justify-center overflow-clip rounded bg-sunken text-ink-3">
                {thumbnail_url === null ? (
                  <FileTypeIcon type={file_type} />
                ) : (
                  <img src={thumbnail_url} alt="" loading="lazy" decoding="async" className="size-full object-cover" />
                )}
              </span>
              <span className="min-w-0 flex-1 basis-36 [overflow-wrap:anywhere]">
                <span className="block text-base font-medium">{file_name}</span>
                <span className="block text-sm text-ink-3 tabular-nums">{formatFileSize(file_size)}</span>
              </span>
              <ExternalLink aria-hidden="true" className="size-4.5 shrink-0 text-ink-3 print:hidden" />
              <span className="sr-only">opens in a new tab</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function FileTypeIcon({ type }: { type: string }) {
  const isImage = type.startsWith('image/');
  const Icon = isImage ? Image : FileText;
  return <Icon aria-hidden="true" data-icon={isImage ? 'image' : 'document'} className="size-6" />;
}
