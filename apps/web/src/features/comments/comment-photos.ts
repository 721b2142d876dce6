import type { JobComment } from '@callout/contract/comments';
import { isImage } from '@callout/domain/files/file-types';
import type { Photo } from '../../lib/attachments/photos.tsx';

export const photosOf = (comments: readonly JobComment[]): Photo[] =>
  comments.flatMap(({ attachments, author, created_at }) =>
    attachments.filter(({ file_type }) => isImage(file_type)).map((file) => ({ ...file, author: author.name, created_at })),
  );
