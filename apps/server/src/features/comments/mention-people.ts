import type { Mention } from '@callout/domain/comments/mention';
import { getPerson } from '../../platform/db/actor.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { notifyPeople } from '../notifications/notifications.sql.ts';
import type { CommentedJob, MentionedPerson } from './comments.sql.ts';

/** Returns the names to store with the comment, for people who are deleted later. */
export const getMentionNames = (people: readonly Mention[]): Record<string, string> =>
  Object.fromEntries(people.map(({ staff_id, name }) => [staff_id, name]));

/** Notifies the mentioned people, except the author and people who can't sign in. Returns the user ids of everyone notified. */
export async function notifyMentionedPeople(
  scope: TenantScope,
  job: CommentedJob,
  author: string,
  people: readonly MentionedPerson[],
): Promise<string[]> {
  const { userId } = getPerson(scope.actor);
  const userIds = people.flatMap(({ user_id }) => (user_id === null || user_id === userId ? [] : user_id));
  await notifyPeople(scope, userIds, {
    message: `${author} mentioned you on job #${job.job_number}: ${job.title}`,
    type: 'info',
    data: { job_id: job.id },
  });
  return userIds;
}
