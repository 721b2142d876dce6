import { isLogoSizeAllowed } from '@callout/domain/files/file-limits';
import { fileTypeOf, IMAGE_TYPES } from '@callout/domain/files/file-types';

/** What is wrong with a file that should become the logo, before it is sent; its content is checked where it is stored. */
export function logoProblem(file: Pick<File, 'name' | 'type' | 'size'>): string | undefined {
  const named = fileTypeOf(file.name, IMAGE_TYPES) !== null || IMAGE_TYPES.some(({ mime }) => mime === file.type);
  if (!named) return 'Please select an image file';
  return isLogoSizeAllowed(file.size) ? undefined : 'File size must be less than 2MB';
}
