import type { StaffMember } from '@callout/contract/staff';
import { isFileSizeAllowed } from '@callout/domain/files/file-size';
import { buildAcceptAttribute, findFileType, IMAGE_TYPES } from '@callout/domain/files/file-types';
import { Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { getErrorMessage } from '../../lib/error-messages.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FileButton } from '../../ui/file-button.tsx';
import type { AvatarMutations } from './staff.api.ts';
import { StaffAvatar } from './staff-badges.tsx';

function findFileError(file: File): string | undefined {
  if (!findFileType(file.name, IMAGE_TYPES)) return 'Please select an image file: png, jpg, gif or webp.';
  if (!isFileSizeAllowed(file.size)) return 'The picture is too large. Please choose one up to 25 MB.';
  return undefined;
}

/** Returns the object URL of the chosen picture and a function that sets the picture. Revokes each URL when it is replaced. */
function useImagePreview(): [string | undefined, (file: File | undefined) => void] {
  const [preview, setPreview] = useState<string>();
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview]);
  return [preview, (file) => setPreview(file && URL.createObjectURL(file))];
}

interface AvatarUploadProps {
  member: Pick<StaffMember, 'name' | 'avatar_url' | 'color'>;
  mutations: AvatarMutations;
  /** True to put the picture above its buttons instead of beside them on wide screens. */
  centered?: boolean;
}

export function AvatarUpload({ member, mutations: { upload, remove }, centered = false }: AvatarUploadProps) {
  const [preview, setPreview] = useImagePreview();
  const [progress, setProgress] = useState(0);
  const [errorText, setErrorText] = useState<string>();
  const pickButton = useRef<HTMLButtonElement>(null);

  const choose = async (file: File) => {
    const fileError = findFileError(file);
    setErrorText(fileError);
    if (fileError) return;
    setProgress(0);
    setPreview(file);
    try {
      await upload.mutateAsync({ file, onProgress: setProgress });
    } catch (error) {
      setErrorText(getErrorMessage(error));
    }
    setPreview(undefined);
  };

  const removeAvatar = () => {
    // The Remove button disappears with the picture, so move focus away first.
    pickButton.current?.focus();
    remove.mutate();
  };

  return (
    <div>
      <div className={classNames('flex flex-wrap items-center gap-4', centered && 'lg:flex-col lg:text-center')}>
        <StaffAvatar
          member={preview ? { ...member, avatar_url: preview } : member}
          className={classNames('size-20 text-2xl', centered && 'lg:size-28')}
        />
        <div className={classNames('flex min-w-0 flex-wrap gap-2', centered && 'lg:justify-center')}>
          <FileButton
            ref={pickButton}
            accept={buildAcceptAttribute(IMAGE_TYPES)}
            busy={upload.isPending}
            onFile={(file) => void choose(file)}
          >
            {!upload.isPending && <Upload aria-hidden="true" />}
            {upload.isPending ? 'Uploading…' : member.avatar_url ? 'Change avatar' : 'Upload avatar'}
          </FileButton>
          {member.avatar_url && !upload.isPending && (
            <Button tone="quiet" busy={remove.isPending} onClick={removeAvatar}>
              Remove
            </Button>
          )}
        </div>
      </div>
      {upload.isPending && <progress aria-label="Upload progress" value={progress} className="mt-3 h-1.5 w-full accent-accent" />}
      {errorText && (
        <p role="alert" className="mt-3 text-sm text-danger-ink">
          {errorText}
        </p>
      )}
    </div>
  );
}
