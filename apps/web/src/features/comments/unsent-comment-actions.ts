import type { JobComment } from '@callout/contract/comments';
import { formatMentions } from '@callout/domain/comments/mention';
import { getVariables } from '../../lib/commands/define-command.ts';
import { discardCommand, listCommands } from '../../lib/commands/outbox.ts';
import type { CommentDraftActions } from './comment-drafts.ts';
import { addComment, type CommentCommand, type CommentPost, removeComment, updateComment } from './comments.api.ts';
import type { RefusedEdit } from './use-job-comments.ts';

const COMMENT_CALLS: ReadonlySet<string> = new Set([addComment.call, updateComment.call, removeComment.call]);

/** Lists the commands that post and change one comment. */
const listCommentCommands = (id: string) =>
  listCommands().filter((command) => COMMENT_CALLS.has(command.call) && (getVariables(command) as CommentCommand).comment.id === id);

/** Removes a comment from this device that the server doesn't have. Its changes come first, so that they are never sent without it. */
export async function discardUnsentComment(id: string): Promise<void> {
  for (const command of listCommentCommands(id).toReversed()) await discardCommand(command.id);
}

/** Moves a refused comment back to the composer, with the text as last edited. It leaves the unsent changes only once it is stored there. */
export async function takeBackComment(actions: CommentDraftActions, { comment, files }: CommentPost): Promise<void> {
  const changed = listCommentCommands(comment.id).findLast(({ call }) => call === updateComment.call);
  const { content, mentions } = changed ? (getVariables(changed) as CommentCommand).comment : comment;
  await actions.takeBack(formatMentions(content, mentions), mentions, files);
  await discardUnsentComment(comment.id);
}

/** Opens the editor with the text that the server has refused, to save it over the newest version. */
export async function resumeRefusedEdit(actions: CommentDraftActions, stored: JobComment, { commandId, change, refusal }: RefusedEdit) {
  const { content, mentions } = change.comment;
  const { current } = (refusal.data ?? {}) as { current?: JobComment };
  actions.resumeEdit(stored.id, { text: formatMentions(content, mentions), mentions, base: current ?? stored });
  await discardCommand(commandId);
}
