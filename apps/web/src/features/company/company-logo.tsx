import { acceptText, IMAGE_TYPES } from '@callout/domain/files/file-types';
import { Image } from 'lucide-react';
import { useState } from 'react';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { ImagePicker } from '../../ui/image-picker.tsx';
import { toast } from '../../ui/toast.ts';
import { useRemoveLogo, useUploadLogo } from './company-settings.api.ts';
import { logoProblem } from './logo-problem.ts';

/** What the server says about the file, or about the room for it. */
const ABOUT_THE_FILE = ['UNSUPPORTED_FILE', 'TOO_LARGE', 'QUOTA_EXCEEDED', 'DISK_FULL'] as const;

/** Counts as soon as it is chosen: it is no part of the form, so that a wrong field never holds it back. */
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
      onSuccess: () => toast.success('Logo uploaded successfully'),
      onError: (error) => {
        // The server looked inside: what it says is about the file, and belongs beside it.
        if (ABOUT_THE_FILE.some((code) => hasCode(error, code))) setProblem(messageOf(error));
        reportFailure(error, 'Failed to upload logo');
      },
    });
  };
  const takeAway = () => {
    setProblem(undefined);
    remove.mutate(undefined, {
      onSuccess: () => toast.success('Logo removed'),
      onError: (error) => reportFailure(error, 'Failed to remove logo'),
    });
  };
  return (
    <FormSection title="Company Logo" description="Your customers see it on every quote and invoice.">
      <div className="sm:col-span-2">
        <ImagePicker
          label="Logo"
          src={src}
          placeholder={<Image aria-hidden="true" />}
          accept={acceptText(IMAGE_TYPES)}
          hint="PNG, JPG, GIF or WebP, smaller than 2 MB."
          error={problem}
          busy={upload.isPending || remove.isPending}
          onPick={pick}
          onRemove={takeAway}
        />
      </div>
    </FormSection>
  );
}
