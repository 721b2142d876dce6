import { isLogoSizeAllowed } from '@callout/domain/files/file-size';
import { acceptText, fileTypeOf, IMAGE_TYPES } from '@callout/domain/files/file-types';
import { Image } from 'lucide-react';
import { useState } from 'react';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { FormSection } from '../../ui/card.tsx';
import { ImagePicker } from '../../ui/image-picker.tsx';
import { toast } from '../../ui/toast.ts';
import { LOGO_UPLOADED, useRemoveLogo, useUploadLogo } from './company-settings.api.ts';

/** Errors about the file or the space for it. */
const FILE_ERRORS = ['UNSUPPORTED_FILE', 'TOO_LARGE', 'QUOTA_EXCEEDED', 'DISK_FULL'] as const;

/** Uploaded as soon as it is chosen. Not part of the form, so that an invalid field does not block it. */
export function CompanyLogo({ src }: { src: string | null }) {
  const upload = useUploadLogo();
  const remove = useRemoveLogo();
  const [problem, setProblem] = useState<string>();

  const pick = (file: File) => {
    const found = logoProblem(file);
    setProblem(found);
    if (found !== undefined) {
      // Gone once another file has been uploaded.
      toast.error(found, { id: found, subject: LOGO_UPLOADED });
      return;
    }
    upload.mutate(file, {
      onError: (error) => {
        // Shown beside the file that caused it.
        if (FILE_ERRORS.some((code) => hasCode(error, code))) setProblem(messageOf(error));
      },
    });
  };
  const removeLogo = () => {
    setProblem(undefined);
    remove.mutate();
  };
  return (
    <FormSection title="Company Logo" description="Your customers see it on every quote and invoice.">
      <div className="sm:col-span-6">
        <ImagePicker
          label="Logo"
          src={src}
          placeholder={<Image aria-hidden="true" />}
          accept={acceptText(IMAGE_TYPES)}
          hint="PNG, JPG, GIF or WebP, smaller than 2 MB."
          error={problem}
          busy={upload.isPending || remove.isPending}
          onPick={pick}
          onRemove={removeLogo}
        />
      </div>
    </FormSection>
  );
}

/** Why a file can't be the logo, as far as its name and size tell. The server checks its content. */
function logoProblem(file: File): string | undefined {
  const isImage = fileTypeOf(file.name, IMAGE_TYPES) !== null || IMAGE_TYPES.some(({ mime }) => mime === file.type);
  if (!isImage) return 'Please select an image file';
  return isLogoSizeAllowed(file.size) ? undefined : 'File size must be less than 2MB';
}
