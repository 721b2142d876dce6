import type { JobComment } from '@callout/contract/comments';
import { useMutationState, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useStoredFileUrls } from '../../lib/attachments/use-stored-file-urls.ts';
import { getVariables } from '../../lib/commands/define-command.ts';
import { applyOverlays, useCommands, useOverlays } from '../../lib/commands/overlays.ts';
import { type QueuedCommand, type Refusal, UPLOAD_CALL } from '../../lib/commands/stored-command.ts';
import { addComment, type CommentChange, type CommentPost, commentsQueryOptions, toJobComment, updateComment } from './comments.api.ts';

/** A comment that the server has not accepted yet. */
export interface UnsentComment {
  readonly commandId: string;
  readonly post: CommentPost;
  readonly madeAt: string;
  /** True if the page still waits for the answer. Otherwise, the comment waits for a connection. */
  readonly isSending: boolean;
  /** What the server has refused: the comment itself or one of its files. */
  readonly refused: (QueuedCommand & { readonly refusal: Refusal }) | undefined;
}

/** A change of a comment that the server has refused. */
export interface RefusedEdit {
  readonly commandId: string;
  readonly change: CommentChange;
  readonly refusal: Refusal;
}

const NO_ROWS: readonly JobComment[] = [];
const isRefused = (command: QueuedCommand): command is QueuedCommand & { readonly refusal: Refusal } => command.refusal !== undefined;

/** Reads a job's comments with what this device hasn't sent yet, which is shown even if the others can't be loaded. */
export function useJobComments(jobId: string) {
  const options = commentsQueryOptions(jobId);
  const { queryKey } = options;
  const query = useQuery({ ...options, select: useOverlays<readonly JobComment[]>(queryKey) });
  const commands = useCommands();
  const sendingIds = useMutationState({
    filters: { status: 'pending' },
    select: ({ state }) => (state.variables as Partial<CommentPost> | undefined)?.comment?.id,
  });
  const unsent = new Map<string, UnsentComment>();
  const refusedEdits = new Map<string, RefusedEdit>();
  const waitingEditIds = new Set<string>();
  for (const command of commands) {
    const { id: commandId, call, after, refusal } = command;
    if (call === updateComment.call) {
      const change: CommentChange = getVariables(command);
      const { id } = change.comment;
      if (refusal) refusedEdits.set(id, { commandId, change, refusal });
      else if (!sendingIds.includes(id)) waitingEditIds.add(id);
    }
    if (call !== addComment.call) continue;
    const post: CommentPost = getVariables(command);
    if (post.job.id !== jobId) continue;
    const uploads = commands.filter((other) => other.call === UPLOAD_CALL && after.includes(other.lane));
    unsent.set(post.comment.id, {
      commandId,
      post,
      madeAt: new Date(command.madeAt).toISOString(),
      isSending: sendingIds.includes(post.comment.id),
      refused: [command, ...uploads].find(isRefused),
    });
  }
  const urls = useStoredFileUrls([...unsent.values()].flatMap(({ post }) => post.files));
  const waiting = useMemo(() => applyOverlays(commands, commentsQueryOptions(jobId).queryKey, NO_ROWS), [commands, jobId]);
  const rows = query.data ?? waiting;
  // A refused comment is no longer part of the overlay.
  const refused = [...unsent.values()].filter(({ post }) => !rows.some(({ id }) => id === post.comment.id));
  const comments = [...rows, ...refused.map(({ post, madeAt }) => toJobComment(post, madeAt))].map((comment) =>
    unsent.has(comment.id) ? withStoredFiles(comment, urls) : comment,
  );
  return { query, comments, unsent, refusedEdits, waitingEditIds };
}

/** Shows the photos of an unsent comment from this device. */
function withStoredFiles(comment: JobComment, urls: ReadonlyMap<string, string>): JobComment {
  const attachments = comment.attachments.map((file) => {
    const url = urls.get(file.id);
    return url === undefined ? file : { ...file, url, thumbnail_url: url };
  });
  return { ...comment, attachments };
}
