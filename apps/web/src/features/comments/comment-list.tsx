import type { JobComment } from '@callout/contract/comments';
import { pluralize } from '@callout/domain/text/count-format';
import { CircleAlert } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { PendingFiles } from '../../lib/attachments/pending-files.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, Spinner } from '../../ui/button.tsx';
import { useMe } from '../company/company.api.ts';
import type { CommentEdits } from './comment-edit.ts';
import { CommentHeader, CommentRow, CommentText } from './comment-row.tsx';
import { isPermanentFailure, type UnsentComment, type UnsentCommentActions } from './unsent-comments.ts';

/** Number of newest comments shown at first. A button shows the older ones. */
const MAX_INITIAL_COMMENTS = 30;

interface CommentListProps {
  jobId: string;
  comments: readonly JobComment[];
  unsent: readonly UnsentComment[];
  edits: CommentEdits;
  actions: UnsentCommentActions;
  onOpenPhoto: (id: string) => void;
  onDelete: (comment: JobComment) => void;
}

/** Lists comments, oldest first. A comment that is being edited stays in the list when newer ones arrive. On wide screens, the list has its own scroll area, which starts at the newest comment. */
export function CommentList({ jobId, comments, unsent, edits, actions, onOpenPhoto, onDelete }: CommentListProps) {
  const [isShowingAll, setShowingAll] = useState(false);
  const firstIndex = isShowingAll ? 0 : Math.max(0, comments.length - MAX_INITIAL_COMMENTS);
  const shown = comments.filter(({ id }, index) => index >= firstIndex || edits[id]);
  const hiddenCount = comments.length - shown.length;
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
        {shown.map((comment) => (
          <CommentRow
            key={comment.id}
            comment={comment}
            edit={edits[comment.id]}
            jobId={jobId}
            actions={actions}
            onOpenPhoto={onOpenPhoto}
            onDelete={onDelete}
          />
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

function UnsentCommentRow({ comment, actions }: { comment: UnsentComment } & Pick<CommentListProps, 'actions'>) {
  const { user } = useMe();
  const { id, content, files, status, problem, isOffline } = comment;
  const isBlocked = files.some(isPermanentFailure);
  return (
    <li className="flex gap-3">
      <Avatar name={user.name} src={user.avatar_url} color={user.hex_code} className="size-7 text-xs" />
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
