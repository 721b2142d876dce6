import type { JobComment } from '@callout/contract/comments';
import { pluralize } from '@callout/domain/text/count-format';
import { useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import type { NamedJob } from '../jobs/jobs.api.ts';
import type { CommentDraftActions } from './comment-drafts.ts';
import type { CommentEdits } from './comment-edit.ts';
import { CommentRow } from './comment-row.tsx';
import type { RefusedEdit, UnsentComment } from './use-job-comments.ts';

/** Number of newest comments shown at first. A button shows the older ones. */
const MAX_INITIAL_COMMENTS = 30;

interface CommentListProps {
  job: NamedJob;
  comments: readonly JobComment[];
  /** Keyed by comment id. */
  unsent: ReadonlyMap<string, UnsentComment>;
  refusedEdits: ReadonlyMap<string, RefusedEdit>;
  waitingEditIds: ReadonlySet<string>;
  edits: CommentEdits;
  actions: CommentDraftActions;
  onOpenPhoto: (id: string) => void;
  onDelete: (comment: JobComment) => void;
  onTakeBack: (unsent: UnsentComment) => void;
}

/** Lists comments, oldest first. A comment that is being edited stays in the list when newer ones arrive. On wide screens, the list has its own scroll area, which starts at the newest comment. */
export function CommentList({ comments, unsent, refusedEdits, waitingEditIds, edits, ...row }: CommentListProps) {
  const [isShowingAll, setShowingAll] = useState(false);
  const firstIndex = isShowingAll ? 0 : Math.max(0, comments.length - MAX_INITIAL_COMMENTS);
  const shown = comments.filter(({ id }, index) => index >= firstIndex || edits[id]);
  const hiddenCount = comments.length - shown.length;
  const scrollProps = useScrollToEnd(comments.length, unsent.size);
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
            unsent={unsent.get(comment.id)}
            refusedEdit={refusedEdits.get(comment.id)}
            isEditWaiting={waitingEditIds.has(comment.id)}
            {...row}
          />
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
    if (box && count > 0 && (isAtEnd.current || hasNewUnsent)) box.scrollTop = box.scrollHeight;
  }, [count, unsent]);
  const onScroll = () => {
    const box = element.current;
    if (box) isAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  };
  return { ref: element, onScroll };
}
