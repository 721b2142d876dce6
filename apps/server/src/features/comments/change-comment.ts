import { commentNotFoundError, EMPTY_COMMENT_ERROR, type JobComment, type JobCommentChange } from '@callout/contract/comments';
import { staleRecordError } from '@callout/contract/errors';
import { formatMentions, listMentionedIds } from '@callout/domain/comments/mention';
import { hasCapability } from '@callout/domain/roles/roles';
import { getMember } from '../../platform/db/actor.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createFailure, createInvalidInputFailure, toFailure } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { removeRecordFiles } from '../files/remove-files.ts';
import { recordEvent } from '../history/history.sql.ts';
import { getMentionNames, notifyMentionedPeople, retractComment } from './comment-notifications.ts';
import {
  deleteComment,
  findComment,
  listMentionedPeople,
  lockCommentedJob,
  readAuthorName,
  requireWithinCommentLimits,
  updateCommentText,
} from './comments.sql.ts';

/** Changes the text of the author's own comment. */
export async function updateComment(scope: TenantScope, { id, version, content }: JobCommentChange): Promise<JobComment> {
  const { staffId } = getMember(scope.actor);
  const author = await readAuthorName(scope, staffId);
  const { job, comment } = await lockComment(scope, id);
  if (comment.author.staff_id !== staffId) throw createFailure('FORBIDDEN', 'Only the author can edit a comment');
  if (comment.version !== version) throw toFailure(staleRecordError, { current: comment });
  if (comment.content === content) return comment;
  if (content === '' && comment.attachments.length === 0) throw createInvalidInputFailure({ content: EMPTY_COMMENT_ERROR });
  const people = await listMentionedPeople(scope, listMentionedIds(content));
  // Names of people who were deleted since are kept from the earlier text.
  const mentions = {
    ...getMentionNames(comment.mentions.filter(({ staff_id }) => content.includes(staff_id))),
    ...getMentionNames(people),
  };
  await updateCommentText(scope, id, { content, mentions });
  await requireWithinCommentLimits(scope, job.id);
  const changed = (await readComment(scope, id)).comment;
  await recordEvent(scope, 'job', job.id, 'comment_edited', { comment: [formatComment(comment), formatComment(changed)] });
  const mentionedBefore = new Set(listMentionedIds(comment.content));
  await notifyMentionedPeople(
    scope,
    job,
    { id, author },
    people.filter(({ staff_id }) => !mentionedBefore.has(staff_id)),
  );
  await publishChange(scope, 'comments');
  return changed;
}

/** Deletes a comment and its files. The job's history keeps the text and the file names, but nobody can open the files anymore. */
export async function removeComment(scope: TenantScope, id: string): Promise<Record<string, never>> {
  const { staffId, role } = getMember(scope.actor);
  const { job, comment } = await lockComment(scope, id);
  const { author, content, attachments } = comment;
  const isAuthor = author.staff_id === staffId;
  // People who may delete the whole job may also delete one of its comments.
  if (!isAuthor && !hasCapability(role, 'jobs.edit')) throw createFailure('FORBIDDEN', 'You can only delete your own comments');
  await removeRecordFiles(scope, 'job_comment', [id]);
  await deleteComment(scope, id);
  await recordEvent(scope, 'job', job.id, 'comment_deleted', {
    ...(content === '' ? {} : { comment: [formatComment(comment), null] }),
    ...(attachments.length === 0 ? {} : { files: [attachments.map(({ file_name }) => file_name).join(', '), null] }),
    ...(isAuthor ? {} : { author: [author.name, null] }),
  });
  await retractComment(scope, job, comment);
  await publishChange(scope, 'comments');
  return {};
}

const formatComment = ({ content, mentions }: JobComment) => formatMentions(content, mentions);

async function readComment(scope: TenantScope, id: string) {
  const found = await findComment(scope, id);
  if (!found) throw toFailure(commentNotFoundError);
  return found;
}

/** Locks the comment's job, under which all changes to its comments run, and then reads the comment. */
async function lockComment(scope: TenantScope, id: string) {
  const job = await lockCommentedJob(scope, (await readComment(scope, id)).job_id);
  return { job, comment: (await readComment(scope, id)).comment };
}
