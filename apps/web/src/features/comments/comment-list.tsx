import type { JobComment } from '@callout/contract/comments';
import { isImageMimeType } from '@callout/domain/files/file-types';
import { pluralize } from '@callout/domain/text/count-format';
import { CircleAlert } from 'lucide-react';
import { Fragment, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { DownloadLink, Thumbnail } from '../../lib/attachments/attachments.tsx';
import { PendingFiles } from '../../lib/attachments/pending-files.tsx';
import { formatDisplayDateTime } from '../../lib/time-zone.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, Spinner } from '../../ui/button.tsx';
import { useMe } from '../company/company.api.ts';
import { isPermanentFailure, type UnsentComment, type useUnsentComments } from './unsent-comments.ts';

/** Number of newest comments shown at first. A button shows the older ones. */
const MAX_INITIAL_COMMENTS = 30;

interface CommentListProps {
  comments: readonly JobComment[];
  unsent: readonly UnsentComment[];
  actions: ReturnType<typeof useUnsentComments>['actions'];
  onOpenPhoto: (id: string) => void;
}

/** Lists comments, oldest first. On wide screens, the list has its own scroll area, which starts at the newest comment. */
export function CommentList({ comments, unsent, actions, onOpenPhoto }: CommentListProps) {
  const [isShowingAll, setShowingAll] = useState(false);
  const hiddenCount = isShowingAll ? 0 : Math.max(0, comments.length - MAX_INITIAL_COMMENTS);
  const scrollProps = useScrollToEnd(comments.length, unsent.length);
  return (
    <div
      {...scrollProps}
      role="log"
      aria-label="Comments"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Scrollable areas must be reachable by keyboard.
      tabIndex={0}
      className="-outline-offset-2 xl:max-h-[max(16rem,calc(100dvh-30rem))] xl:overflow-y-auto"
    >
      {hiddenCount > 0 && (
        <Button tone="quiet" fullWidth className="mb-2" onClick={() => setShowingAll(true)}>
          {`Show ${pluralize(hiddenCount, 'earlier comment')}`}
        </Button>
      )}
      <ol className="space-y-4 px-4 pb-1 lg:px-5">
        {comments.slice(hiddenCount).map((comment) => (
          <CommentRow key={comment.id} comment={comment} onOpenPhoto={onOpenPhoto} />
        ))}
        {unsent.map((comment) => (
          <UnsentCommentRow key={comment.id} comment={comment} actions={actions} />
        ))}
      </ol>
    </div>
  );
}

/** Scrolls to a new comment if the end of the list is in view or the user wrote the comment. */
function useScrollToEnd(count: number, unsent: number) {
  const element = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const previousUnsent = useRef(unsent);
  useLayoutEffect(() => {
    const hasNewUnsent = unsent > previousUnsent.current;
    previousUnsent.current = unsent;
    const box = element.current;
    if (box && count + unsent > 0 && (isAtEnd.current || hasNewUnsent)) box.scrollTop = box.scrollHeight;
  }, [count, unsent]);
  const onScroll = () => {
    const box = element.current;
    if (box) isAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  };
  return { ref: element, onScroll };
}

function CommentRow({ comment, onOpenPhoto }: { comment: JobComment; onOpenPhoto: (id: string) => void }) {
  const { author, content, created_at, attachments } = comment;
  const [images, others] = [true, false].map((isImage) => attachments.filter(({ file_type }) => isImageMimeType(file_type) === isImage));
  return (
    <li className="flex gap-3">
      <Avatar name={author.name} src={author.avatar_url} className="size-7 text-xs" />
      <div className="min-w-0 flex-1">
        <CommentHeader name={author.name}>
          <time dateTime={created_at}>{formatDisplayDateTime(created_at)}</time>
        </CommentHeader>
        <CommentText text={content} />
        {images && images.length > 0 && (
          <ul aria-label="Photos" className="mt-1.5 flex flex-wrap gap-1.5">
            {images.map((file) => (
              <li key={file.id}>
                <Thumbnail file={file} onOpen={onOpenPhoto} className="h-16 w-21" />
              </li>
            ))}
          </ul>
        )}
        {others && others.length > 0 && (
          <ul aria-label="Files" className="mt-1.5 flex flex-col items-start gap-1.5">
            {others.map((file) => (
              <li key={file.id} className="max-w-full">
                <DownloadLink file={file} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

function CommentHeader({ name, children }: { name: string; children: ReactNode }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className="text-base font-semibold [overflow-wrap:anywhere]">{name}</span>
      <span className="text-sm text-ink-3 tabular-nums">{children}</span>
    </p>
  );
}

const URL_PATTERN = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)'\]])/;

/** Renders the text as plain text, never as markup. Only URLs become links. */
function CommentText({ text }: { text: string }) {
  if (text === '') return null;
  const parts = text.split(URL_PATTERN).map((part, index) => ({ part, isUrl: index % 2 === 1, key: `${index}` }));
  return (
    <p className="text-lg whitespace-pre-line text-ink-2 [overflow-wrap:anywhere] lg:text-base">
      {parts.map(({ part, isUrl, key }) =>
        isUrl ? (
          <a key={key} href={part} target="_blank" rel="noopener noreferrer" className="text-accent-ink underline">
            {part}
          </a>
        ) : (
          <Fragment key={key}>{part}</Fragment>
        ),
      )}
    </p>
  );
}

function UnsentCommentRow({ comment, actions }: { comment: UnsentComment } & Pick<CommentListProps, 'actions'>) {
  const { user } = useMe();
  const { id, content, files, status, problem, isOffline } = comment;
  const isBlocked = files.some(isPermanentFailure);
  return (
    <li className="flex gap-3">
      <Avatar name={user.name} src={user.avatar_url} className="size-7 text-xs" />
      <div className="min-w-0 flex-1">
        <CommentHeader name={user.name}>
          {status === 'sending' && (
            <span role="status" className="inline-flex items-center gap-1.5">
              <Spinner className="size-3" />
              Sending…
            </span>
          )}
        </CommentHeader>
        <CommentText text={content} />
        <PendingFiles files={files} actions={actions} />
        {status === 'failed' && (
          <>
            <p role="alert" className="mt-1.5 flex items-start gap-1.5 text-sm text-danger-ink">
              <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              {isOffline && !isBlocked ? "It will be sent when you're back online." : problem}
            </p>
            <div className="mt-1.5 flex flex-wrap gap-2">
              {!isBlocked && <Button onClick={() => actions.retry(id)}>Retry</Button>}
              <Button tone="quiet" onClick={() => void actions.edit(id)}>
                Edit
              </Button>
            </div>
          </>
        )}
      </div>
    </li>
  );
}
