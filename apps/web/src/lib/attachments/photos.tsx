import type { Attachment } from '@callout/contract/comments';
import { useLazyModule } from '../../ui/use-lazy-module.ts';

/** A picture as the viewer shows it. */
export interface Photo extends Attachment {
  /** Who added it, or what it belongs to. */
  author: string;
  /** Null where that is not known. */
  created_at: string | null;
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
