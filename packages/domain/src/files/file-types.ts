export interface FileType {
  extension: string;
  mime: string;
}

const PNG = { extension: 'png', mime: 'image/png' };
const JPG = { extension: 'jpg', mime: 'image/jpeg' };
const JPEG = { extension: 'jpeg', mime: 'image/jpeg' };
const GIF = { extension: 'gif', mime: 'image/gif' };
const WEBP = { extension: 'webp', mime: 'image/webp' };
const PDF = { extension: 'pdf', mime: 'application/pdf' };
const DOC = { extension: 'doc', mime: 'application/msword' };
const DOCX = { extension: 'docx', mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' };

/** Files of comments and quotes. */
export const ATTACHMENT_TYPES: readonly FileType[] = [PNG, JPG, JPEG, GIF, PDF, DOC, DOCX];

/** Logos and avatars. No svg: it can carry a script. */
export const IMAGE_TYPES: readonly FileType[] = [PNG, JPG, JPEG, GIF, WEBP];

/** By the last extension of the name, whatever its case; null when it is not accepted. The content is checked where files are stored. */
export function fileTypeOf(name: string, accepted: readonly FileType[]): FileType | null {
  const extension = /[^/\\]\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase();
  return accepted.find((type) => type.extension === extension) ?? null;
}

/** For a file input: '.png,.jpg'. */
export function acceptText(accepted: readonly FileType[]): string {
  return accepted.map((type) => `.${type.extension}`).join(',');
}

/** Shown as a picture; everything else is offered as a download. */
export function isImage(mime: string): boolean {
  return mime.startsWith('image/');
}
