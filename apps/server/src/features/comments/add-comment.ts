import type { JobComment, NewJobComment } from '@callout/contract/comments';
import { idTakenError } from '@callout/contract/errors';
import { listMentionedIds } from '@callout/domain/comments/mention';
import { getMember } from '../../platform/db/actor.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createInvalidInputFailure, toFailure } from '../../platform/errors/failures.ts';
import { attachFiles } from '../../platform/files/files.sql.ts';
import { publishChange } from '../../platform/live/live.ts';
import { getMentionNames, notifyInvolvedPeople, notifyMentionedPeople } from './comment-notifications.ts';
import {
  findComment,
  insertComment,
  listMentionedPeople,
  listUserIdsToNotify,
  lockCommentedJob,
  readAuthorName,
  requireWithinCommentLimits,
} from './comments.sql.ts';

/** Locks the company, the author, the job and then the files. Any other order could deadlock. */
export async function addComment(scope: TenantScope, { id, job_id, content, file_ids }: NewJobComment): Promise<JobComment> {
  const { staffId } = getMember(scope.actor);
  const author = await readAuthorName(scope, staffId);
  const job = await lockCommentedJob(scope, job_id);
  const fileIds = [...new Set(file_ids)];
  const people = await listMentionedPeople(scope, listMentionedIds(content));
  if (!(await insertComment(scope, { id, job_id, content, mentions: getMentionNames(people), staff_id: staffId, author_name: author }))) {
    const existing = await findComment(scope, id);
    if (existing?.job_id !== job_id || !isSameComment(existing.comment, staffId, content, fileIds)) throw toFailure(idTakenError);
    return existing.comment;
  }
  await requireWithinCommentLimits(scope, job_id);
  if (!(await attachFiles(scope, { kind: 'job_comment', id }, fileIds))) {
    throw createInvalidInputFailure({ file_ids: 'A file is missing. Please add it again.' });
  }
  const added = await findComment(scope, id);
  if (!added) throw new Error('The new comment could not be read back');
  const mentionedIds = await notifyMentionedPeople(scope, job, { id, author }, people);
  const involvedIds = await listUserIdsToNotify(scope, job, staffId);
  const otherIds = involvedIds.filter((userId) => !mentionedIds.includes(userId));
  await notifyInvolvedPeople(scope, job, { id, author }, otherIds);
  await publishChange(scope, 'comments');
  return added.comment;
}

/** Returns true if the stored comment came from an earlier attempt of the same request, even if its author has edited it since. */
function isSameComment(comment: JobComment, staffId: string, text: string, fileIds: readonly string[]): boolean {
  const { author, content, edited_at, attachments } = comment;
  return (
    author.staff_id === staffId && (content === text || edited_at !== null) && attachments.map(({ id }) => id).join() === fileIds.join()
  );
}
