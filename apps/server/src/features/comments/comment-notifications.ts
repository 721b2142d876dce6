import type { Mention } from '@callout/domain/comments/mention';
import { pluralize } from '@callout/domain/text/count-format';
import { formatNames } from '@callout/domain/text/name-list';
import { getPerson } from '../../platform/db/actor.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { type NotificationGroup, notifyPeopleInGroups, retractFromNotifications } from '../notifications/grouped-notifications.sql.ts';
import type { CommentedJob, MentionedPerson } from './comments.sql.ts';

/** Returns the names to store with the comment, for people who are deleted later. */
export const getMentionNames = (people: readonly Mention[]): Record<string, string> =>
  Object.fromEntries(people.map(({ staff_id, name }) => [staff_id, name]));

interface NewComment {
  readonly id: string;
  /** The author's name. */
  readonly author: string;
}

/**
 * Notifies the mentioned people, except the author and people who can't sign in. Mentions on one job within a short time make one
 * notification. Returns the user ids of everyone notified.
 */
export async function notifyMentionedPeople(
  scope: TenantScope,
  job: CommentedJob,
  comment: NewComment,
  people: readonly MentionedPerson[],
): Promise<string[]> {
  const { userId } = getPerson(scope.actor);
  const userIds = people.flatMap(({ user_id }) => (user_id === null || user_id === userId ? [] : user_id));
  await notifyPeopleInGroups(scope, userIds, { ...comment, ...buildMentionGroup(job) });
  return userIds;
}

/** Notifies people of a comment on their job. Comments within a short time make one notification. */
export async function notifyInvolvedPeople(scope: TenantScope, job: CommentedJob, comment: NewComment, userIds: readonly string[]) {
  await notifyPeopleInGroups(scope, userIds, { ...comment, ...buildCommentGroup(job) });
}

const buildCommentGroup = ({ id, job_number, title }: CommentedJob): NotificationGroup => ({
  key: `comments ${id}`,
  type: 'info',
  data: { job_id: id },
  buildMessage: (count, authors) =>
    `${formatNames(authors)} ${count === 1 ? 'commented' : `wrote ${pluralize(count, 'comment')}`} on job #${job_number}: ${title}`,
});

const buildMentionGroup = ({ id, job_number, title }: CommentedJob): NotificationGroup => ({
  key: `mentions ${id}`,
  type: 'info',
  data: { job_id: id },
  buildMessage: (count, authors) =>
    `${formatNames(authors)} mentioned you ${count === 1 ? '' : `in ${pluralize(count, 'comment')} `}on job #${job_number}: ${title}`,
});

/** Removes a deleted comment from the notifications about it. */
export async function retractComment(scope: TenantScope, job: CommentedJob, { id, created_at }: { id: string; created_at: string }) {
  await retractFromNotifications(scope, { id, since: created_at, groups: [buildCommentGroup(job), buildMentionGroup(job)] });
}
