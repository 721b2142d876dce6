import {
  type Attachment,
  type CustomerAttachment,
  commentLengthLimitError,
  commentLimitError,
  type JobComment,
  MAX_JOB_COMMENT_BYTES,
  MAX_JOB_COMMENT_HISTORY_BYTES,
  MAX_JOB_COMMENTS,
} from '@callout/contract/comments';
import { jobNotFoundError } from '@callout/contract/jobs';
import { PAGE_SIZE } from '@callout/contract/lists';
import { formatMentions, type Mention } from '@callout/domain/comments/mention';
import { and, desc, eq, inArray, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { staff_colors, staff_members } from '../../platform/auth/auth.table.ts';
import { getUserId } from '../../platform/db/actor.ts';
import { buildPage, decodeCursor, isInstantKey } from '../../platform/db/cursor.ts';
import { getLateMadeAt } from '../../platform/db/made-at.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createUnauthenticatedFailure, toFailure } from '../../platform/errors/failures.ts';
import { buildAttachmentsSubquery } from '../../platform/files/files.sql.ts';
import { files } from '../../platform/files/files.table.ts';
import { companies } from '../company/company.table.ts';
import { record_events } from '../history/history.table.ts';
import { job_comments, jobs } from '../jobs/jobs.table.ts';

export async function requireJob(scope: TenantScope, id: string): Promise<void> {
  const found = await scope.db
    .select({ id: jobs.id })
    .from(jobs)
    .where(inCompany(scope, jobs, id));
  if (found.length === 0) throw toFailure(jobNotFoundError);
}

const authorNameSql = sql<string>`case when ${staff_members.is_owner} then coalesce(${companies.company_name}, ${staff_members.name}) else ${staff_members.name} end`;
const companyJoin = eq(companies.company_id, job_comments.company_id);
const authorJoin = and(eq(staff_members.company_id, job_comments.company_id), eq(staff_members.id, job_comments.staff_id));

const thumbnails = alias(files, 'thumbnails');
const attachments = buildAttachmentsSubquery({ kind: 'job_comment', company_id: job_comments.company_id, id: job_comments.id });

/** The mentioned people with their current names, or with the stored name if they were deleted. */
const mentionsSql = sql<
  Mention[]
>`(select coalesce(json_agg(json_build_object('staff_id', m.key, 'name', coalesce(s.name, m.value)) order by m.key), '[]')
  from jsonb_each_text(${job_comments.mentions}) m
    left join staff_members s on s.company_id = ${job_comments.company_id} and s.id = m.key::uuid)`;

const authorColumns = {
  staff_id: staff_members.id,
  name: sql<string>`coalesce(${authorNameSql}, ${job_comments.author_name})`,
  avatar_url: sql<string | null>`case when ${staff_members.is_owner} then ${companies.avatar_url} else ${staff_members.avatar_url} end`,
  hex_code: staff_colors.hex_code,
};

async function listCommentsWhere(scope: TenantScope, condition: SQL): Promise<{ job_id: string; comment: JobComment }[]> {
  const rows = await scope.db
    .select({
      job_id: job_comments.job_id,
      id: job_comments.id,
      content: job_comments.content,
      created_at: job_comments.created_at,
      made_at: job_comments.made_at,
      edited_at: job_comments.edited_at,
      version: job_comments.version,
      mentions: mentionsSql,
      ...authorColumns,
      attachments,
    })
    .from(job_comments)
    .innerJoin(companies, companyJoin)
    .leftJoin(staff_members, authorJoin)
    .leftJoin(staff_colors, eq(staff_colors.id, staff_members.color_id))
    .where(and(inCompany(scope, job_comments), condition))
    .orderBy(job_comments.created_at, job_comments.id);
  return rows.map(({ job_id, staff_id, name, avatar_url, hex_code, ...comment }) => ({
    job_id,
    comment: { ...comment, author: { staff_id, name, avatar_url, hex_code } },
  }));
}

/** Lists a job's comments, oldest first. */
export async function listComments(scope: TenantScope, jobId: string): Promise<JobComment[]> {
  const found = await listCommentsWhere(scope, eq(job_comments.job_id, jobId));
  return found.map(({ comment }) => comment);
}

/** Lists the comments of several jobs, as many jobs as have `limit` comments together, in the order of `jobIds`. */
export async function listCommentsOfJobs(scope: TenantScope, jobIds: readonly string[], limit: number) {
  if (jobIds.length === 0) return [];
  const isOfJobs = inArray(job_comments.job_id, [...jobIds]);
  const counts = await scope.db
    .select({ job_id: job_comments.job_id, count: sql<number>`count(*)::int` })
    .from(job_comments)
    .where(and(inCompany(scope, job_comments), isOfJobs))
    .groupBy(job_comments.job_id);
  const countByJob = new Map(counts.map(({ job_id, count }) => [job_id, count]));
  let total = 0;
  const listedIds = jobIds.filter((id) => {
    const count = countByJob.get(id) ?? 0;
    if (total + count > limit) return false;
    total += count;
    return true;
  });
  const found = await listCommentsWhere(scope, inArray(job_comments.job_id, listedIds));
  return listedIds.map((id) => ({ job_id: id, rows: found.filter(({ job_id }) => job_id === id).map(({ comment }) => comment) }));
}

export async function findComment(scope: TenantScope, id: string): Promise<{ job_id: string; comment: JobComment } | null> {
  const [found] = await listCommentsWhere(scope, eq(job_comments.id, id));
  return found ?? null;
}

const SORT_ORDER = 'customer attachments';
const MAX_EXCERPT_LENGTH = 200;

/** Lists one page of the files in comments on a customer's jobs, newest first. */
export async function listCustomerAttachments(scope: TenantScope, customerId: string, cursor: string | undefined) {
  const position = cursor === undefined ? undefined : decodeCursor(cursor, SORT_ORDER, [isInstantKey]);
  const isOlder = position && sql`(${files.created_at}, ${files.id}) < (${position.keys[0]}::timestamptz, ${position.id}::uuid)`;
  const found = await scope.db
    .select({
      id: files.id,
      file_name: files.file_name,
      file_size: files.file_size,
      file_type: files.file_type,
      has_thumbnail: isNotNull(thumbnails.id).mapWith(Boolean),
      job_id: jobs.id,
      job_number: jobs.job_number,
      title: jobs.title,
      comment_id: job_comments.id,
      content: job_comments.content,
      mentions: mentionsSql,
      created_at: job_comments.created_at,
      ...authorColumns,
      sort_keys: sql<string>`json_build_array(${files.created_at}::text)::text`,
    })
    .from(files)
    .innerJoin(job_comments, and(eq(job_comments.company_id, files.company_id), eq(job_comments.id, files.owner_id)))
    .innerJoin(jobs, and(eq(jobs.company_id, job_comments.company_id), eq(jobs.id, job_comments.job_id)))
    .innerJoin(companies, companyJoin)
    .leftJoin(staff_members, authorJoin)
    .leftJoin(staff_colors, eq(staff_colors.id, staff_members.color_id))
    .leftJoin(
      thumbnails,
      and(eq(thumbnails.company_id, files.company_id), eq(thumbnails.owner_id, files.id), eq(thumbnails.purpose, 'thumbnail')),
    )
    .where(and(inCompany(scope, files), eq(files.customer_id, customerId), isOlder))
    .orderBy(desc(files.created_at), desc(files.id))
    .limit(PAGE_SIZE + 1);
  const page = buildPage(found, PAGE_SIZE, SORT_ORDER);
  return { ...page, rows: page.rows.map(toCustomerAttachment) };
}

interface CustomerAttachmentRow extends Pick<Attachment, 'id' | 'file_name' | 'file_size' | 'file_type'> {
  has_thumbnail: boolean;
  job_id: string;
  job_number: string;
  title: string;
  comment_id: string;
  content: string;
  mentions: Mention[];
  created_at: string;
  staff_id: string | null;
  name: string;
  avatar_url: string | null;
  hex_code: string | null;
}

function toCustomerAttachment(row: CustomerAttachmentRow): CustomerAttachment {
  const { id, file_name, file_size, file_type, has_thumbnail, job_number, title, content, created_at } = row;
  const { staff_id, name, avatar_url, hex_code } = row;
  const url = `/api/files/${id}`;
  return {
    id,
    file_name,
    file_size,
    file_type,
    url,
    thumbnail_url: has_thumbnail ? `${url}/thumbnail` : null,
    job: { id: row.job_id, job_number, title },
    comment: {
      id: row.comment_id,
      content: formatMentions(content, row.mentions).slice(0, MAX_EXCERPT_LENGTH),
      created_at,
      author: { staff_id, name, avatar_url, hex_code },
    },
  };
}

/** Reads the author's name as shown with comments. */
export async function readAuthorName(scope: TenantScope, staffId: string): Promise<string> {
  const [author] = await scope.db
    .select({ name: authorNameSql })
    .from(companies)
    .innerJoin(staff_members, eq(staff_members.company_id, companies.company_id))
    .where(and(inCompany(scope, companies), inCompany(scope, staff_members, staffId)));
  if (!author) throw createUnauthenticatedFailure();
  return author.name;
}

export interface CommentedJob {
  readonly id: string;
  readonly job_number: string;
  readonly title: string;
  readonly staff_id: string | null;
}

/** Locks the job: until the transaction ends, it can't be deleted and nobody else can comment on it. */
export async function lockCommentedJob(scope: TenantScope, id: string): Promise<CommentedJob> {
  const [job] = await scope.db
    .select({ id: jobs.id, job_number: jobs.job_number, title: jobs.title, staff_id: jobs.staff_id })
    .from(jobs)
    .where(inCompany(scope, jobs, id))
    .for('no key update');
  if (!job) throw toFailure(jobNotFoundError);
  return job;
}

type NewCommentRow = Pick<typeof job_comments.$inferInsert, 'id' | 'job_id' | 'content' | 'mentions' | 'staff_id' | 'author_name'>;

/**
 * Throws if a job's comments exceed the limits, which exist because comments are listed without pages, or if the earlier texts in the job's
 * history take up too much space. Requires the job's lock.
 */
export async function requireWithinCommentLimits(scope: TenantScope, jobId: string): Promise<void> {
  const [stored] = await scope.db
    // Unlike length(), octet_length() doesn't have to load long texts, which PostgreSQL stores outside the row.
    .select({ count: sql<number>`count(*)::int`, bytes: sql<number>`coalesce(sum(octet_length(${job_comments.content})), 0)::int` })
    .from(job_comments)
    .where(and(inCompany(scope, job_comments), eq(job_comments.job_id, jobId)));
  if (!stored) return;
  if (stored.count > MAX_JOB_COMMENTS) throw toFailure(commentLimitError);
  if (stored.bytes > MAX_JOB_COMMENT_BYTES) throw toFailure(commentLengthLimitError);
  const { company_id, record_kind, record_id, action, changes } = record_events;
  const [earlier] = await scope.db
    // Unlike the length of the text, the size on disk is known without loading it.
    .select({ bytes: sql<number>`coalesce(sum(pg_column_size(${changes})), 0)::int` })
    .from(record_events)
    .where(
      and(
        eq(company_id, scope.companyId),
        eq(record_kind, 'job'),
        eq(record_id, jobId),
        inArray(action, ['comment_edited', 'comment_deleted']),
      ),
    );
  if (earlier && earlier.bytes > MAX_JOB_COMMENT_HISTORY_BYTES) throw toFailure(commentLengthLimitError);
}

/** Inserts the comment. Returns false if the comment's id is taken. */
export async function insertComment(scope: TenantScope, comment: NewCommentRow): Promise<boolean> {
  const inserted = await scope.db
    .insert(job_comments)
    .values({
      ...comment,
      company_id: scope.companyId,
      user_id: getUserId(scope.actor),
      created_at: scope.now,
      made_at: getLateMadeAt(scope),
    })
    .onConflictDoNothing({ target: [job_comments.company_id, job_comments.id] })
    .returning({ id: job_comments.id });
  return inserted.length > 0;
}

type CommentText = Pick<typeof job_comments.$inferSelect, 'content' | 'mentions'>;

export async function updateCommentText(scope: TenantScope, id: string, text: CommentText): Promise<void> {
  await scope.db
    .update(job_comments)
    .set({ ...text, edited_at: scope.now, version: sql`${job_comments.version} + 1` })
    .where(inCompany(scope, job_comments, id));
}

export async function deleteComment(scope: TenantScope, id: string): Promise<void> {
  await scope.db.delete(job_comments).where(inCompany(scope, job_comments, id));
}

export interface MentionedPerson extends Mention {
  /** Null if the person can't sign in. */
  readonly user_id: string | null;
}

/** Lists the company's people with these ids. */
export async function listMentionedPeople(scope: TenantScope, ids: readonly string[]): Promise<MentionedPerson[]> {
  if (ids.length === 0) return [];
  return scope.db
    .select({ staff_id: staff_members.id, name: staff_members.name, user_id: staff_members.profile_id })
    .from(staff_members)
    .where(and(inCompany(scope, staff_members), inArray(staff_members.id, [...ids])));
}

/** Lists the user ids of the assigned person and everyone who has commented on the job, except the new comment's author. */
export async function listUserIdsToNotify(scope: TenantScope, job: CommentedJob, authorId: string): Promise<string[]> {
  const hasCommented = sql`exists (select from ${job_comments} where ${job_comments.company_id} = ${staff_members.company_id}
    and ${job_comments.staff_id} = ${staff_members.id} and ${job_comments.job_id} = ${job.id})`;
  const isInvolved = job.staff_id ? or(eq(staff_members.id, job.staff_id), hasCommented) : hasCommented;
  const people = await scope.db
    .select({ profile_id: staff_members.profile_id })
    .from(staff_members)
    .where(and(inCompany(scope, staff_members), ne(staff_members.id, authorId), isNotNull(staff_members.profile_id), isInvolved));
  return people.flatMap(({ profile_id }) => profile_id ?? []);
}
