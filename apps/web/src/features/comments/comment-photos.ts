import type { JobComment } from '@callout/contract/comments';
import { isImageMimeType } from '@callout/domain/files/file-types';
import type { Photo } from '../../lib/attachments/lazy-photo-viewer.tsx';

export const getCommentPhotos = (comments: readonly JobComment[]): Photo[] =>
  comments.flatMap(({ attachments, author, created_at }) =>
    attachments.filter(({ file_type }) => isImageMimeType(file_type)).map((file) => ({ ...file, author: author.name, created_at })),
  );
