import type { Quote } from '@callout/contract/quotes';
import { isImageMimeType } from '@callout/domain/files/file-types';
import { useState } from 'react';
import { DownloadLink, Thumbnail } from '../../lib/attachments/attachments.tsx';
import { LazyPhotoViewer } from '../../lib/attachments/lazy-photo-viewer.tsx';
import { Card } from '../../ui/card.tsx';

export function QuoteAttachments({ quote: { attachments, quote_number: number } }: { quote: Quote }) {
  const [openPhotoId, setOpenPhotoId] = useState<string | null>(null);
  if (attachments.length === 0) return null;
  const images = attachments.filter(({ file_type }) => isImageMimeType(file_type));
  const files = attachments.filter((file) => !images.includes(file));
  const photos = images.map((file) => ({ ...file, author: number, created_at: null }));
  return (
    <section aria-labelledby="quote-attachments">
      <Card className="p-4 lg:px-5">
        <h2 id="quote-attachments" className="mb-3 text-lg font-semibold">
          Attachments <span className="ml-1 text-sm font-normal text-ink-3">{attachments.length}</span>
        </h2>
        {images.length > 0 && (
          <ul className="mb-3 grid grid-cols-3 gap-2 last:mb-0 sm:grid-cols-[repeat(auto-fill,7rem)]">
            {images.map((file) => (
              <li key={file.id}>
                <Thumbnail file={file} onOpen={setOpenPhotoId} className="aspect-4/3 w-full" />
              </li>
            ))}
          </ul>
        )}
        {files.length > 0 && (
          <ul className="flex flex-wrap gap-2">
            {files.map((file) => (
              <li key={file.id} className="max-w-full">
                <DownloadLink file={file} />
              </li>
            ))}
          </ul>
        )}
      </Card>
      <LazyPhotoViewer photos={photos} openPhotoId={openPhotoId} onOpenPhoto={setOpenPhotoId} />
    </section>
  );
}
