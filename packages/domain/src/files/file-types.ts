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

/** File types accepted on comments and quotes. */
export const ATTACHMENT_TYPES: readonly FileType[] = [PNG, JPG, JPEG, GIF, PDF, DOC, DOCX];

/** File types accepted as logos and avatars. SVG is excluded because it can contain scripts. */
export const IMAGE_TYPES: readonly FileType[] = [PNG, JPG, JPEG, GIF, WEBP];

/** Finds the type by a file's last extension, ignoring case; null if it isn't accepted. Storing the file checks the content. */
export function findFileType(name: string, accepted: readonly FileType[]): FileType | null {
  const extension = /[^/\\]\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase();
  return accepted.find((type) => type.extension === extension) ?? null;
}

/** Builds the value of a file input's accept attribute: '.png,.jpg'. */
export function buildAcceptAttribute(accepted: readonly FileType[]): string {
  return accepted.map((type) => `.${type.extension}`).join(',');
}

/** Returns true if the file is displayed as an image. Other files are offered as downloads. */
export function isImageMimeType(mime: string): boolean {
  return mime.startsWith('image/');
}
