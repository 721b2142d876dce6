import type { JobComment } from '@callout/contract/comments';
import type { Job } from '@callout/contract/jobs';
import { formatMentions } from '@callout/domain/comments/mention';
import { ATTACHMENT_TYPES, isImageMimeType } from '@callout/domain/files/file-types';
import { pluralize } from '@callout/domain/text/count-format';
import { Camera, ChevronDown } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Thumbnail } from '../../lib/attachments/attachments.tsx';
import { LazyPhotoViewer } from '../../lib/attachments/lazy-photo-viewer.tsx';
import { useCommand } from '../../lib/commands/use-command.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FileInput } from '../../ui/file-button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import { TABLET_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useCan, useMe } from '../company/company.api.ts';
import { toNamedJob } from '../jobs/jobs.api.ts';
import { CommentComposer } from './comment-composer.tsx';
import { useCommentDeletion } from './comment-deletion.tsx';
import { type CommentDraft, encodeDraft, isEmptyDraft, useCommentDrafts } from './comment-drafts.ts';
import { CommentList } from './comment-list.tsx';
import { getCommentPhotos } from './comment-photos.ts';
import { addComment } from './comments.api.ts';
import { takeBackComment } from './unsent-comment-actions.ts';
import { type UnsentComment, useJobComments } from './use-job-comments.ts';

const HEADING_ID = 'job-comments';
const EDITED_COMMENT_DELETED_MESSAGE = 'The comment you were editing was deleted. Your text is now in the box for a new comment.';
/** Accepts MIME types rather than extensions, because phones then offer the camera and iPhones convert photos to JPEG. */
const CAMERA_TYPES = [...new Set(ATTACHMENT_TYPES.map(({ mime }) => mime).filter(isImageMimeType))].join();

/** Shows a job's comments, photos and files. On phones, the list starts collapsed, but users can add a photo without expanding it. */
export function JobComments({ job }: { job: Job }) {
  const { query, comments, unsent, refusedEdits, waitingEditIds } = useJobComments(job.id);
  const { draft, edits, rejected, actions } = useCommentDrafts(job.id);
  const { user } = useMe();
  const namedJob = toNamedJob(job);
  const posting = useCommand(addComment, { onAnswer: ({ id }) => actions.finishDraft(id) });
  const deletion = useCommentDeletion(namedJob, new Set(unsent.keys()), HEADING_ID);
  const canComment = useCan('jobs.work');
  const isCollapsible = !useMediaQuery(TABLET_UP);
  const [isExpanded, setExpanded] = useState(false);
  const [isComposing, setComposing] = useState(false);
  const [openPhotoId, setOpenPhotoId] = useState<string | null>(null);
  const camera = useRef<HTMLInputElement>(null);
  const textarea = useRef<HTMLTextAreaElement>(null);
  const isOpen = !isCollapsible || isExpanded;
  const isShownCollapsed = ({ id }: JobComment) => edits[id] !== undefined || unsent.has(id) || refusedEdits.has(id);
  const isComposerShown = isOpen || isComposing || !isEmptyDraft(draft);

  const { data: rows, isFetchedAfterMount } = query;
  const isPosted = comments.some(({ id }) => id === draft.id);
  if (isPosted && isComposing) setComposing(false);
  useLayoutEffect(() => {
    if (isPosted) actions.finishDraft(draft.id);
  }, [isPosted, actions, draft.id]);
  useEffect(() => {
    // Cached rows may be older than the comment.
    if (!rows || !isFetchedAfterMount || !actions.rescueEdits(new Set(rows.map(({ id }) => id)))) return;
    toast.blank(EDITED_COMMENT_DELETED_MESSAGE);
    // The person may be typing, and the editor that had the focus is gone.
    if (document.activeElement === document.body) textarea.current?.focus();
  }, [rows, isFetchedAfterMount, actions]);
  const photos = getCommentPhotos(comments);
  const post = (posted: CommentDraft) => {
    const { id, mentions = [], files } = posted;
    const { staff_id, name, avatar_url, hex_code } = user;
    posting.mutate({
      job: namedJob,
      comment: { id, content: encodeDraft(posted), mentions },
      author: { staff_id, name: name ?? '', avatar_url, hex_code },
      files: files.map((file) => ({ id: file.id, name: file.name, type: file.type, size: file.size })),
    });
  };
  const addPhotos = (files: readonly File[]) => {
    setComposing(true);
    actions.addFiles(files);
  };
  const openComposer = () => {
    flushSync(() => setComposing(true));
    textarea.current?.focus();
  };
  const takeBack = async ({ post: refused }: UnsentComment) => {
    await takeBackComment(actions, refused);
    openComposer();
  };
  const list = (
    <>
      {!isOpen && (
        <CollapsedComments
          comments={comments.filter(({ id }) => !unsent.has(id))}
          onOpenPhoto={setOpenPhotoId}
          onOpen={() => setExpanded(true)}
        />
      )}
      {(isOpen || comments.some(isShownCollapsed)) && (
        <CommentList
          job={namedJob}
          comments={isOpen ? comments : comments.filter(isShownCollapsed)}
          unsent={unsent}
          refusedEdits={refusedEdits}
          waitingEditIds={waitingEditIds}
          edits={edits}
          actions={actions}
          onOpenPhoto={setOpenPhotoId}
          onDelete={deletion.confirm}
          onTakeBack={(comment) => void takeBack(comment)}
        />
      )}
    </>
  );
  return (
    <section aria-labelledby={HEADING_ID}>
      <Card className="pb-4">
        {/* With large text, the row is too narrow, so the buttons wrap below the heading. */}
        <div className="flex flex-wrap items-center gap-1 py-2 pr-2 pl-4 lg:pl-5">
          <div className="min-w-0 flex-1 basis-20 py-1">
            <h2 id={HEADING_ID} tabIndex={-1} className="text-lg font-semibold">
              Comments
              {!isCollapsible && comments.length > 0 && <span className="ml-2 text-sm font-normal text-ink-3">{comments.length}</span>}
            </h2>
            {isCollapsible && comments.length > 0 && <p className="text-base text-ink-2">{formatCounts(comments.length, photos.length)}</p>}
          </div>
          {canComment && (
            <>
              <FileInput ref={camera} multiple accept={CAMERA_TYPES} capture="environment" aria-label="Take photos" onFiles={addPhotos} />
              <Button tone="accent" className="lg:hidden" onClick={() => camera.current?.click()}>
                <Camera aria-hidden="true" />
                Add photo
              </Button>
            </>
          )}
          {isCollapsible && (
            <IconButton label={isOpen ? 'Hide comments' : 'Show comments'} aria-expanded={isOpen} onClick={() => setExpanded(!isOpen)}>
              <ChevronDown aria-hidden="true" className={classNames('transition-transform duration-160', isOpen && 'rotate-180')} />
            </IconButton>
          )}
        </div>
        <QueryView
          query={query}
          skeleton={<SkeletonRows label="Loading comments" count={isOpen ? 3 : 1} className="h-14" />}
          isEmpty={() => comments.length === 0}
          empty={<p className="px-4 pb-3 text-base text-ink-2 lg:px-5">No comments yet</p>}
        >
          {() => list}
        </QueryView>
        {/* Whoever has just posted a comment must see it, even if the others can't be loaded. */}
        {!rows && comments.length > 0 && list}
        {canComment && isComposerShown && (
          // Once it has the focus, the composer stays open even if its text is deleted.
          <div className="px-4 pt-3 lg:px-5" onFocus={() => setComposing(true)}>
            <CommentComposer
              ref={textarea}
              drafts={{ draft, rejected }}
              actions={actions}
              canDrop={!isCollapsible}
              onPost={post}
              isPosting={posting.isPending && posting.variables.comment.id === draft.id}
            />
          </div>
        )}
        {canComment && !isComposerShown && (
          <div className="px-4 pt-1">
            <Button fullWidth onClick={openComposer}>
              Write a comment
            </Button>
          </div>
        )}
      </Card>
      {deletion.dialog}
      <LazyPhotoViewer photos={photos} openPhotoId={openPhotoId} onOpenPhoto={setOpenPhotoId} />
    </section>
  );
}

const formatCounts = (comments: number, photos: number) =>
  [pluralize(comments, 'comment'), photos > 0 && pluralize(photos, 'photo')].filter(Boolean).join(' · ');

const MAX_COLLAPSED_PHOTOS = 4;

interface CollapsedCommentsProps {
  comments: readonly JobComment[];
  onOpenPhoto: (id: string) => void;
  onOpen: () => void;
}

function CollapsedComments({ comments, onOpenPhoto, onOpen }: CollapsedCommentsProps) {
  const photos = getCommentPhotos(comments).slice(-MAX_COLLAPSED_PHOTOS);
  const newest = comments.at(-1);
  return (
    <div className="space-y-2 px-4">
      {photos.length > 0 && (
        <ul aria-label="Latest photos" className="grid grid-cols-4 gap-2">
          {photos.map((photo) => (
            <li key={photo.id}>
              <Thumbnail file={photo} onOpen={onOpenPhoto} className="aspect-5/3 min-h-11 w-full" />
            </li>
          ))}
        </ul>
      )}
      {newest && (
        <button type="button" onClick={onOpen} className="block min-h-11 w-full truncate text-left text-base text-ink-2">
          <span className="font-semibold text-ink">{newest.author.name}</span>{' '}
          {formatMentions(newest.content, newest.mentions) || pluralize(newest.attachments.length, 'attachment')}
        </button>
      )}
    </div>
  );
}
