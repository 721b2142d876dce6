import { isLogoSizeAllowed } from '@callout/domain/files/file-size';
import { buildAcceptAttribute, findFileType, IMAGE_TYPES } from '@callout/domain/files/file-types';
import { Image } from 'lucide-react';
import { useState } from 'react';
import { getErrorMessage, hasErrorCode } from '../../lib/error-messages.ts';
import { FormSection } from '../../ui/card.tsx';
import { ImagePicker } from '../../ui/image-picker.tsx';
import { toast } from '../../ui/toast.ts';
import { LOGO_UPLOADED_MESSAGE, useRemoveLogo, useUploadLogo } from './company-settings.api.ts';

/** Errors about the file or the storage space. Shown next to the field as well as in a toast. */
const FILE_ERROR_CODES = ['UNSUPPORTED_FILE', 'TOO_LARGE', 'QUOTA_EXCEEDED', 'DISK_FULL'] as const;

/** Uploads a logo as soon as the user chooses it. Not part of the settings form, so that invalid fields can't block the upload. */
export function CompanyLogo({ src }: { src: string | null }) {
  const upload = useUploadLogo();
  const remove = useRemoveLogo();
  const [problem, setProblem] = useState<string>();

  const uploadIfValid = (file: File) => {
    const message = findLogoError(file);
    setProblem(message);
    if (message !== undefined) {
      // Grouped with the upload's success message, so that the next successful upload dismisses this toast.
      toast.error(message, { id: message, subject: LOGO_UPLOADED_MESSAGE });
      return;
    }
    upload.mutate(file, {
      onError: (error) => {
        if (FILE_ERROR_CODES.some((code) => hasErrorCode(error, code))) setProblem(getErrorMessage(error));
      },
    });
  };
  const removeLogo = () => {
    setProblem(undefined);
    remove.mutate();
  };
  return (
    <FormSection title="Company Logo" description="Your logo appears on every quote and invoice.">
      <div className="sm:col-span-6">
        <ImagePicker
          label="Logo"
          src={src}
          placeholder={<Image aria-hidden="true" />}
          accept={buildAcceptAttribute(IMAGE_TYPES)}
          hint="PNG, JPG, GIF or WebP, smaller than 2 MB."
          error={problem}
          busy={upload.isPending || remove.isPending}
          onPick={uploadIfValid}
          onRemove={removeLogo}
        />
      </div>
    </FormSection>
  );
}

/** Checks the file's name, type and size. Only the server checks its content. */
function findLogoError(file: File): string | undefined {
  const isImage = findFileType(file.name, IMAGE_TYPES) !== null || IMAGE_TYPES.some(({ mime }) => mime === file.type);
  if (!isImage) return 'Please select an image file';
  return isLogoSizeAllowed(file.size) ? undefined : 'File size must be less than 2MB';
}
