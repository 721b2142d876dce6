import type { Attachment } from '@callout/contract/comments';
import { useLazyModule } from '../../ui/use-lazy-module.ts';

/** An image attachment with the details that the viewer shows. */
export interface Photo extends Attachment {
  /** Name of the person who added the photo, or of the document it belongs to. */
  author: string;
  /** Null if the time is unknown. */
  created_at: string | null;
}

interface LazyPhotoViewerProps {
  photos: readonly Photo[];
  /** Null while the viewer is closed. */
  openPhotoId: string | null;
  onOpenPhoto: (id: string | null) => void;
}

/** Photo viewer that loads its code when it first opens. */
export function LazyPhotoViewer(props: LazyPhotoViewerProps) {
  const viewer = useLazyModule(
    () => import('./photo-viewer.tsx'),
    props.openPhotoId !== null,
    () => props.onOpenPhoto(null),
  );
  return viewer ? <viewer.PhotoViewer {...props} /> : null;
}
