import type { JobComment } from '@callout/contract/comments';
import type { Job } from '@callout/contract/jobs';
import { ATTACHMENT_TYPES, isImage } from '@callout/domain/files/file-types';
import { countText } from '@callout/domain/text/count-text';
import { useQuery } from '@tanstack/react-query';
import { Camera, ChevronDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Thumbnail } from '../../lib/attachments/attachments.tsx';
import { Photos } from '../../lib/attachments/photos.tsx';
import { QueryView } from '../../lib/query-view.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { FileInput } from '../../ui/file-button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { TABLET_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useCan } from '../company/company.api.ts';
import { CommentComposer } from './comment-composer.tsx';
import { CommentList } from './comment-list.tsx';
import { photosOf } from './comment-photos.ts';
import { commentsOptions } from './comments.api.ts';
import { isEmptyDraft, useUnsentComments } from './unsent-comments.ts';

const HEADING = 'job-comments';
const NO_COMMENTS = 'No comments yet';
/** By type, not by name: then a phone offers its camera, and an iPhone sends a jpeg. */
const CAMERA_TYPES = [...new Set(ATTACHMENT_TYPES.map(({ mime }) => mime).filter(isImage))].join();

/** What is said about a job, with photos and files. On a phone it is folded: what is new shows, and a photo is added without opening it. */
export function JobComments({ job }: { job: Job }) {
  const query = useQuery(commentsOptions(job.id));
  const unsent = useUnsentComments(job.id);
  const { draft, sent, refused, actions } = unsent;
  const mayComment = useCan('jobs.work');
  const isFoldable = !useMediaQuery(TABLET_UP);
  const [isUnfolded, setUnfolded] = useState(false);
  const [isComposing, setComposing] = useState(() => !isEmptyDraft(draft));
  const [shownId, setShownId] = useState<string | null>(null);
  const camera = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const isOpen = !isFoldable || isUnfolded;

  const rows = query.data;
  useEffect(() => {
    if (rows) actions.dropStored(new Set(rows.map(({ id }) => id)));
  }, [rows, actions]);
  const stored = new Set(rows?.map(({ id }) => id));
  const waiting = sent.filter(({ id }) => !stored.has(id));
  const photos = photosOf(rows ?? []);
  const addPhotos = (files: readonly File[]) => {
    setComposing(true);
    actions.addFiles(files);
  };
  const write = () => {
    flushSync(() => setComposing(true));
    area.current?.focus();
  };
  const edit = async (id: string) => {
    const isEdited = await actions.edit(id);
    if (isEdited) write();
    return isEdited;
  };
  return (
    <section aria-labelledby={HEADING}>
      <Card className="pb-4">
        {/* With large letters the buttons go below the heading. */}
        <div className="flex flex-wrap items-center gap-1 py-2 pr-2 pl-4 lg:pl-5">
          <div className="min-w-0 flex-1 basis-20 py-1">
            <h2 id={HEADING} className="text-lg font-semibold">
              Comments
              {!isFoldable && rows && rows.length > 0 && <span className="ml-2 text-sm font-normal text-ink-3">{rows.length}</span>}
            </h2>
            {isFoldable && rows && rows.length > 0 && <p className="text-base text-ink-2">{contentsText(rows.length, photos.length)}</p>}
          </div>
          {mayComment && (
            <>
              <FileInput ref={camera} multiple accept={CAMERA_TYPES} capture="environment" aria-label="Take photos" onFiles={addPhotos} />
              <Button tone="accent" className="lg:hidden" onClick={() => camera.current?.click()}>
                <Camera aria-hidden="true" />
                Add photo
              </Button>
            </>
          )}
          {isFoldable && (
            <IconButton label={isOpen ? 'Hide comments' : 'Show comments'} aria-expanded={isOpen} onClick={() => setUnfolded(!isOpen)}>
              <ChevronDown aria-hidden="true" className={classes('transition-transform duration-160', isOpen && 'rotate-180')} />
            </IconButton>
          )}
        </div>
        <QueryView
          query={query}
          skeleton={<SkeletonRows label="Loading comments" count={isOpen ? 3 : 1} className="h-14" />}
          isEmpty={(loaded) => loaded.length === 0 && waiting.length === 0}
          empty={<p className="px-4 pb-3 text-base text-ink-2 lg:px-5">{NO_COMMENTS}</p>}
        >
          {(loaded) => (
            <>
              {!isOpen && <FoldedComments comments={loaded} onOpenPhoto={setShownId} onOpen={() => setUnfolded(true)} />}
              {(isOpen || waiting.length > 0) && (
                <CommentList comments={isOpen ? loaded : []} unsent={waiting} actions={{ ...actions, edit }} onOpenPhoto={setShownId} />
              )}
            </>
          )}
        </QueryView>
        {mayComment && (isOpen || isComposing) && (
          <div className="px-4 pt-3 lg:px-5">
            <CommentComposer
              ref={area}
              unsent={{ draft, refused }}
              actions={actions}
              canDrop={!isFoldable}
              onSent={() => setComposing(false)}
            />
          </div>
        )}
        {mayComment && !isOpen && !isComposing && (
          <div className="px-4 pt-1">
            <Button wide onClick={write}>
              Write a comment
            </Button>
          </div>
        )}
      </Card>
      <Photos photos={photos} shownId={shownId} onShow={setShownId} />
    </section>
  );
}

const contentsText = (comments: number, photos: number) =>
  [countText(comments, 'comment'), photos > 0 && countText(photos, 'photo')].filter(Boolean).join(' · ');

const FOLDED_PHOTOS = 4;

interface FoldedCommentsProps {
  comments: readonly JobComment[];
  onOpenPhoto: (id: string) => void;
  onOpen: () => void;
}

/** The latest photos and the newest line. */
function FoldedComments({ comments, onOpenPhoto, onOpen }: FoldedCommentsProps) {
  const photos = photosOf(comments).slice(-FOLDED_PHOTOS);
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
          {newest.content || countText(newest.attachments.length, 'file')}
        </button>
      )}
    </div>
  );
}
