import type { Attachment } from '@callout/contract/comments';
import { isImage } from '@callout/domain/files/file-types';
import { FileText, Image } from 'lucide-react';
import { classes } from '../../ui/classes.ts';
import { useLazyModule } from '../../ui/use-lazy-module.ts';

/** A picture as the viewer shows it. */
export interface Photo extends Attachment {
  /** Who added it, or what it belongs to. */
  author: string;
  /** Null where that is not known. */
  created_at: string | null;
}

export function FileIcon({ type, className = 'size-5' }: { type: string; className?: string }) {
  const Icon = isImage(type) ? Image : FileText;
  return <Icon aria-hidden="true" data-icon={isImage(type) ? 'image' : 'document'} className={classes('shrink-0', className)} />;
}

interface PhotosProps {
  photos: readonly Photo[];
  /** The id of the picture that shows; null while the viewer is closed. */
  shownId: string | null;
  onShow: (id: string | null) => void;
}

/** The viewer, whose code comes when it first opens. */
export function Photos(props: PhotosProps) {
  const viewer = useLazyModule(
    () => import('./photo-viewer.tsx'),
    props.shownId !== null,
    () => props.onShow(null),
  );
  return viewer ? <viewer.PhotoViewer {...props} /> : null;
}
