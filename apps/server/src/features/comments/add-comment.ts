import type { JobComment, NewJobComment } from '@callout/contract/comments';
import { idTaken } from '@callout/contract/errors';
import { memberOf } from '../../platform/db/actor.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf, invalidInput } from '../../platform/errors/failures.ts';
import { attachFiles } from '../../platform/files/files.sql.ts';
import { publishChange } from '../../platform/live/live.ts';
import { notifyPeople } from '../notifications/notifications.sql.ts';
import { findComment, insertComment, listPeopleToTell, lockAuthor, lockJobFor, requireRoomForComments } from './comments.sql.ts';

/** Locks are taken in one order everywhere: the company, the person, the job, then files. */
export async function addComment(scope: TenantScope, { id, job_id, content, file_ids }: NewJobComment): Promise<JobComment> {
  const { staffId } = memberOf(scope.actor);
  const author = await lockAuthor(scope, staffId);
  const job = await lockJobFor(scope, job_id);
  const fileIds = [...new Set(file_ids)];
  if (!(await insertComment(scope, { id, job_id, content, staff_id: staffId, author_name: author }))) {
    const existing = await findComment(scope, id);
    if (existing?.job_id !== job_id || !isSameComment(existing.comment, staffId, content, fileIds)) throw failureOf(idTaken);
    return existing.comment;
  }
  await requireRoomForComments(scope, job_id);
  if (!(await attachFiles(scope, { kind: 'job_comment', id }, fileIds))) {
    throw invalidInput({ file_ids: 'A file is no longer there. Please add it again.' });
  }
  const added = await findComment(scope, id);
  if (!added) throw new Error('The comment that was just added is not there');
  await notifyPeople(scope, await listPeopleToTell(scope, job, staffId), {
    message: `${author} commented on job #${job.job_number}: ${job.title}`,
    type: 'info',
    data: { job_id },
  });
  await publishChange(scope, 'comments');
  return added.comment;
}

/** Whether a comment is what this request once added. */
function isSameComment(
  { author, content, attachments }: JobComment,
  staffId: string,
  requested: string,
  fileIds: readonly string[],
): boolean {
  return author.staff_id === staffId && content === requested && attachments.map(({ id }) => id).join() === fileIds.join();
}
