import { formatFileSize, MAX_FILE_BYTES } from '@callout/domain/files/file-size';
import { Check, CircleAlert, RotateCw, X } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FileIcon } from './attachments.tsx';
import type { PendingFile, RejectedFile } from './pending-file.ts';

interface PendingFilesProps {
  files: readonly PendingFile[];
  actions: { readonly removeFile: (id: string) => void; readonly retryFile?: (id: string) => void };
}

/** Lists files that are not part of a saved record yet, each with the progress of its upload. */
export function PendingFiles({ files, actions }: PendingFilesProps) {
  if (files.length === 0) return null;
  return (
    <ul aria-label="Files to send" className="mt-1.5 space-y-1">
      {files.map((file) => (
        <PendingFileRow key={file.id} file={file} actions={actions} />
      ))}
    </ul>
  );
}

const PROGRESS_BAR_CLASSES =
  'h-1.5 min-w-0 flex-1 appearance-none overflow-clip rounded-full bg-line text-accent [&::-moz-progress-bar]:bg-accent ' +
  '[&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent';

function PendingFileRow({ file, actions }: { file: PendingFile } & Pick<PendingFilesProps, 'actions'>) {
  const { id, name, size, type, status, progress, problem, preview, canRetry } = file;
  /** True if the browser can't show the file as an image, whatever its name says. */
  const [isBroken, setBroken] = useState(false);
  const isInProgress = status === 'waiting' || status === 'uploading';
  return (
    <li className={classNames('flex items-center gap-2 rounded-control p-1 pl-1.5', status === 'failed' ? 'bg-danger-soft' : 'bg-sunken')}>
      <span className="flex size-9 shrink-0 items-center justify-center overflow-clip rounded bg-surface text-ink-3">
        {preview === null || isBroken ? (
          <FileIcon type={type} />
        ) : (
          <img src={preview} alt="" onError={() => setBroken(true)} className="size-full object-cover" />
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-base">{name}</span>
        {status === 'failed' ? (
          <span role="alert" className="block text-sm text-danger-ink">
            {problem}
          </span>
        ) : (
          <span className="flex items-center gap-2 text-sm text-ink-3 tabular-nums">
            {formatFileSize(size)}
            {status === 'preparing' && ' · Preparing'}
            {status === 'waiting' && ' · Waiting'}
            {status === 'uploading' && <progress aria-label={`Upload of ${name}`} value={progress} className={PROGRESS_BAR_CLASSES} />}
            {status === 'uploaded' && (
              <span className="inline-flex items-center gap-1 text-ok-ink">
                <Check aria-hidden="true" className="size-3.5" />
                Uploaded
              </span>
            )}
          </span>
        )}
      </span>
      {status === 'failed' && canRetry && actions.retryFile && (
        <IconButton label={`Retry ${name}`} onClick={() => actions.retryFile?.(id)}>
          <RotateCw aria-hidden="true" />
        </IconButton>
      )}
      <IconButton label={isInProgress ? `Cancel upload of ${name}` : `Remove ${name}`} onClick={() => actions.removeFile(id)}>
        <X aria-hidden="true" />
      </IconButton>
    </li>
  );
}

/** Lists the rejected files, each with the reason. */
export function RejectedFiles({ rejected, onDismiss }: { rejected: readonly RejectedFile[]; onDismiss: () => void }) {
  if (rejected.length === 0) return null;
  return (
    <div role="alert" className="mt-2 flex items-start gap-2 rounded-control bg-danger-soft py-1 pr-1 pl-3 text-sm text-danger-ink">
      <CircleAlert aria-hidden="true" className="mt-2 size-4 shrink-0" />
      <ul className="min-w-0 flex-1 py-1.5">
        {rejected.map(({ id, name, problem }) => (
          <li key={id} className="[overflow-wrap:anywhere]">
            <span className="font-medium">{name}</span>: <span>{problem}</span>
            {problem.startsWith('File is larger') && ` (${formatFileSize(MAX_FILE_BYTES)})`}
          </li>
        ))}
      </ul>
      <IconButton label="Dismiss" onClick={onDismiss} className="text-danger-ink">
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}
