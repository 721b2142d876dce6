import { isLogoSizeAllowed } from '@callout/domain/files/file-size';
import { acceptText, fileTypeOf, IMAGE_TYPES } from '@callout/domain/files/file-types';
import { Image } from 'lucide-react';
import { useState } from 'react';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { FormSection } from '../../ui/card.tsx';
import { ImagePicker } from '../../ui/image-picker.tsx';
import { toast } from '../../ui/toast.ts';
import { useRemoveLogo, useUploadLogo } from './company-settings.api.ts';

/** What the server says about the file, or about the room for it. */
const ABOUT_THE_FILE = ['UNSUPPORTED_FILE', 'TOO_LARGE', 'QUOTA_EXCEEDED', 'DISK_FULL'] as const;

/** Uploaded as soon as it is chosen: it is no part of the form, so that a wrong field never holds it back. */
export function CompanyLogo({ src }: { src: string | null }) {
  const upload = useUploadLogo();
  const remove = useRemoveLogo();
  const [problem, setProblem] = useState<string>();

  const pick = (file: File) => {
    const found = logoProblem(file);
    setProblem(found);
    if (found !== undefined) {
      toast.error(found, { id: found });
      return;
    }
    upload.mutate(file, {
      onError: (error) => {
        // The server looked inside: what it says is about the file, and belongs beside it.
        if (ABOUT_THE_FILE.some((code) => hasCode(error, code))) setProblem(messageOf(error));
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

/** What is wrong with a file that should become the logo, before it is sent; its content is checked where it is stored. */
function logoProblem(file: File): string | undefined {
  const isImage = fileTypeOf(file.name, IMAGE_TYPES) !== null || IMAGE_TYPES.some(({ mime }) => mime === file.type);
  if (!isImage) return 'Please select an image file';
  return isLogoSizeAllowed(file.size) ? undefined : 'File size must be less than 2MB';
}
