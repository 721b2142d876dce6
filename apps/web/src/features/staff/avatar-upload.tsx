import type { StaffMember } from '@callout/contract/staff';
import { isFileSizeAllowed } from '@callout/domain/files/file-size';
import { acceptText, fileTypeOf, IMAGE_TYPES } from '@callout/domain/files/file-types';
import { Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../lib/error-messages.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { FileButton } from '../../ui/file-button.tsx';
import type { AvatarChange } from './staff.api.ts';
import { StaffAvatar } from './staff-badges.tsx';

/** Why a file can't be uploaded. */
function fileProblem(file: File): string | undefined {
  if (!fileTypeOf(file.name, IMAGE_TYPES)) return 'Please select an image file: png, jpg, gif or webp.';
  if (!isFileSizeAllowed(file.size)) return 'The picture is too large. Please choose one of at most 25 MB.';
  return undefined;
}

/** The chosen picture while it is being uploaded; its object URL is revoked afterwards. */
function usePreview(): [string | undefined, (file: File | undefined) => void] {
  const [preview, setPreview] = useState<string>();
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview]);
  return [preview, (file) => setPreview(file && URL.createObjectURL(file))];
}

interface AvatarUploadProps {
  member: Pick<StaffMember, 'name' | 'avatar_url' | 'color'>;
  change: AvatarChange;
  /** Above its buttons on wide screens, instead of beside them. */
  centered?: boolean;
}

export function AvatarUpload({ member, change: { upload, remove }, centered = false }: AvatarUploadProps) {
  const [preview, setPreview] = usePreview();
  const [sent, setSent] = useState(0);
  const [problem, setProblem] = useState<string>();
  const pickButton = useRef<HTMLButtonElement>(null);

  const choose = async (file: File) => {
    const wrong = fileProblem(file);
    setProblem(wrong);
    if (wrong) return;
    setSent(0);
    setPreview(file);
    try {
      await upload.mutateAsync({ file, onProgress: setSent });
    } catch (error) {
      setProblem(messageOf(error));
    }
    setPreview(undefined);
  };

  const removeAvatar = () => {
    // Remove disappears with the picture, and the focus must not.
    pickButton.current?.focus();
    remove.mutate();
  };

  return (
    <div>
      <div className={classes('flex flex-wrap items-center gap-4', centered && 'lg:flex-col lg:text-center')}>
        <StaffAvatar
          member={preview ? { ...member, avatar_url: preview } : member}
          className={classes('size-20 text-2xl', centered && 'lg:size-28')}
        />
        <div className={classes('flex min-w-0 flex-wrap gap-2', centered && 'lg:justify-center')}>
          <FileButton ref={pickButton} accept={acceptText(IMAGE_TYPES)} busy={upload.isPending} onFile={(file) => void choose(file)}>
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
      {upload.isPending && <progress aria-label="Upload progress" value={sent} className="mt-3 h-1.5 w-full accent-accent" />}
      {problem && (
        <p role="alert" className="mt-3 text-sm text-danger-ink">
          {problem}
        </p>
      )}
    </div>
  );
}
